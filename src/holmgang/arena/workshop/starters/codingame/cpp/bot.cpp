// @NAME@, a fencer for CodinGame's Fencing Esport and for Holmgang.
#include <iostream>
#include <random>
#include <string>
#include <vector>

const std::vector<std::string> WORDS{"@WORDS@"};  // README.md has more of them

struct Fencer {
    int position, energy, score, drug_count, energy_max;
    int break_skill, walk_skill, double_walk_skill, retreat_skill, double_retreat_skill;
    int lunge_skill, parry_skill;
};

std::istream& operator>>(std::istream& in, Fencer& f) {
    return in >> f.position >> f.energy >> f.score >> f.drug_count >> f.energy_max >>
           f.break_skill >> f.walk_skill >> f.double_walk_skill >> f.retreat_skill >>
           f.double_retreat_skill >> f.lunge_skill >> f.parry_skill;
}

// The word of this turn. Think here: you are always at the left.
std::string think(const Fencer& /* me */, const Fencer& /* other */) {
    static std::mt19937 dice{std::random_device{}()};
    return WORDS[dice() % WORDS.size()];
}

int main() {
    for (Fencer me, other; std::cin >> me >> other;) {
        std::cout << think(me, other) << std::endl;
    }
}
