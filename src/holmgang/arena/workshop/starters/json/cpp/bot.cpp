// @NAME@, a bot for Holmgang: it answers each request for a choice with a line of JSON.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

// JSON, as much of it as a bot needs: a view of the text of a value. What is missing is empty.
class Json {
public:
    explicit Json(std::string_view text = {}) : text_(text) {}

    // The value as it was written, a text with its quotes.
    std::string_view written() const { return text_; }

    bool is(std::string_view word) const {
        return text_.size() == word.size() + 2 && text_.front() == '"' &&
               text_.substr(1, word.size()) == word;
    }

    double number() const { return std::strtod(std::string(text_).c_str(), nullptr); }

    // The items of an array; the keys and values of an object, in turn.
    std::vector<Json> items() const {
        std::vector<Json> found;
        if (text_.empty() || (text_.front() != '[' && text_.front() != '{')) return found;
        for (std::size_t at = next(1); at < text_.size() - 1;) {
            const std::size_t end = after(at);
            if (end == at) break;
            found.emplace_back(text_.substr(at, end - at));
            at = next(end);
        }
        return found;
    }

    // The value of a key in an object.
    Json operator[](std::string_view key) const {
        const auto found = items();
        for (std::size_t i = 0; i + 1 < found.size(); i += 2)
            if (found[i].is(key)) return found[i + 1];
        return Json();
    }

private:
    std::string_view text_;

    std::size_t next(std::size_t at) const {
        return std::min(text_.find_first_not_of(" \t\r\n,:", at), text_.size());
    }

    // The place right after the value that begins here.
    std::size_t after(std::size_t at) const {
        if (text_[at] == '"') {
            for (at++; at < text_.size() && text_[at] != '"'; at++)
                if (text_[at] == '\\') at++;
            return std::min(at + 1, text_.size());
        }
        if (text_[at] == '{' || text_[at] == '[') {
            at = next(at + 1);
            while (at < text_.size() && text_[at] != '}' && text_[at] != ']') at = next(after(at));
            return std::min(at + 1, text_.size());
        }
        return std::min(text_.find_first_of(" \t\r\n,:]}", at), text_.size());
    }
};

// The choice to make. Think here: README.md shows what is in a request. A number in it is
// request["state"]["red"]["hp"].number(), for example.
Json think(const Json& request) {
    static std::mt19937 dice{std::random_device{}()};
    const auto choices = request["choices"].items();
    return choices[dice() % choices.size()];
}

int main() {
    for (std::string line; std::getline(std::cin, line);) {
        const Json message(line);
        if (message["type"].is("hello")) {
            std::cout << R"({"name": "@NAME@", "author": "@AUTHOR@", "protocol": 1})" << std::endl;
        } else if (message["type"].is("choose")) {
            std::cout << R"({"id": )" << message["id"].written() << R"(, "choice": )"
                      << think(message).written() << "}" << std::endl;
        }  // else the start or the end of a game, or what a later version may say
    }
}
