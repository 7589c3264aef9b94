/* The yardstick: random playouts of the games by hand in C, on the same stream of chance, so that every
   tally must agree with ours to the last game. Rules are constants here; nothing is shared with the
   package. Build: cc -O3 -march=native -o yardstick yardstick.c
   Use:   yardstick GAME SEED FIRST COUNT   prints rounds, cpu seconds, and the tallies. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LIMIT 1000
#define INLINE static inline __attribute__((always_inline))

static int64_t ends[32], lengths[LIMIT + 1], picks[2][64];

/* The stream */

#define GAMMA 0x9E3779B97F4A7C15u

INLINE uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

INLINE uint64_t game_key(uint64_t seed, uint64_t index) {
    return mix(mix(seed + GAMMA) + index * GAMMA);
}

INLINE uint64_t draw(uint64_t key, uint64_t n, uint64_t lane) {
    return mix(key + (n * 4 + lane + 1) * GAMMA);
}

INLINE int below(uint64_t bits, uint64_t n) {
    for (;;) {
        uint64_t product = (bits >> 32) * n, low = product & 0xFFFFFFFFu;
        if (low >= n || low >= 0x100000000u % n) return (int)(product >> 32);
        bits = mix(bits);
    }
}

INLINE int nth_bit(uint64_t x, int n) {
    int place = 0;
    for (int width = 32; width; width /= 2) {
        int half = __builtin_popcountll(x & ((1ull << width) - 1));
        if (n >= half) { n -= half; x >>= width; place += width; }
    }
    return place;
}

INLINE int pick(uint64_t bits, uint64_t menu) {
    int place = below(bits, (uint64_t)__builtin_popcountll(menu));
    return (menu & (menu + 1)) == 0 ? place : nth_bit(menu, place);
}

INLINE int min(int a, int b) { return a < b ? a : b; }
INLINE int max(int a, int b) { return a > b ? a : b; }

INLINE void count(int end, int n) { ends[end]++; lengths[n]++; }
INLINE int end_of(int reason, int winner) { return 3 * reason + winner + 1; }

/* BAGH */

typedef struct { int hp, boost, priority, shield; } Fighter;
enum { BOOST, ATTACK, GUARD, HEAL };

INLINE int bagh_hp(Fighter me, int mine, Fighter foe, int theirs) {
    int hp = me.hp, attacked = theirs == ATTACK;
    if (attacked && (mine == GUARD ? me.shield > 0 : mine == ATTACK ? me.priority <= foe.priority : 1))
        hp -= 1 + foe.boost;
    if (mine == HEAL && (!attacked || me.priority > foe.priority))
        hp = max(hp, min(hp + 1 + me.boost, 10));
    return max(0, hp);
}

INLINE Fighter bagh_rest(Fighter me, int mine, Fighter foe, int theirs, int hp) {
    int lead = me.boost - foe.boost, blocking = mine == GUARD && theirs == ATTACK && me.shield == 0;
    Fighter after = {hp, mine == BOOST ? me.boost : 0, max(0, me.priority - 1), max(0, me.shield - 1)};
    if (blocking) after.shield = max(0, -lead);
    if (blocking && lead >= 0)
        after.priority = me.priority + max(0, (me.priority == 0) + lead - (foe.priority > 0));
    return after;
}

static int64_t bagh(uint64_t seed, int64_t first, int64_t games) {
    int64_t rounds = 0;
    for (int64_t i = first; i < first + games; i++) {
        uint64_t key = game_key(seed, i);
        Fighter r = {3, 0, 0, 0}, b = r;
        int n = 0, end = 0;
        while (!end && n < LIMIT) {
            int red = pick(draw(key, n, 0), 15), blue = pick(draw(key, n, 1), 15);
            picks[0][red]++;
            picks[1][blue]++;
            int sides = r.shield + 1, faces = sides * (b.shield + 1);
            int face = faces > 1 ? below(draw(key, n, 2), faces) : 0;
            if (face % sides == 0) r.shield = 0;
            if (face / sides == 0) b.shield = 0;
            if (red == BOOST) r.boost = min(r.boost + 1, 6);
            if (blue == BOOST) b.boost = min(b.boost + 1, 6);
            int red_hp = bagh_hp(r, red, b, blue), blue_hp = bagh_hp(b, blue, r, red);
            n++;
            if (red_hp == 0 || blue_hp == 0) {
                end = end_of(1, red_hp ? 0 : blue_hp ? 1 : -1);
            } else {
                Fighter next = bagh_rest(r, red, b, blue, red_hp);
                b = bagh_rest(b, blue, r, red, blue_hp);
                r = next;
            }
        }
        count(end, n);
        rounds += n;
    }
    return rounds;
}

/* Fencing, league 3 */

typedef struct {
    int position, energy, score, drugs, energy_max, break_skill, walk, double_walk, retreat,
        double_retreat, lunge, parry, doped;
} Fencer;
enum { BREAK, WALK, RETREAT, LUNGE, PARRY, DOUBLE_WALK, DOUBLE_RETREAT, LUNGE_DRUG, PARRY_DRUG,
       ENERGY_MAX_DRUG, WALK_DRUG, RETREAT_DRUG, DOUBLE_WALK_DRUG, DOUBLE_RETREAT_DRUG, BREAK_DRUG };

INLINE int fencing_pay(Fencer *f, int action) {
    static const signed char costs[] = {2, -1, -1, -5, -2, -4, -4, -5, -5, -5, -5, -5, -5, -5, -5};
    int amount = costs[action];
    if (action == BREAK) f->energy = min(f->energy + amount + f->break_skill, f->energy_max);
    else f->energy += amount;
    if (f->energy < 0) return -1;
    if (action >= LUNGE_DRUG) {
        if (f->drugs >= 7) { f->doped = 1; return action; }
        f->drugs++;
        switch (action) {
        case LUNGE_DRUG: f->lunge += 5; break;
        case PARRY_DRUG: f->parry -= 5; break;
        case ENERGY_MAX_DRUG: f->energy_max += 5; break;
        case WALK_DRUG: f->walk += 5; break;
        case RETREAT_DRUG: f->retreat += 5; break;
        case DOUBLE_WALK_DRUG: f->double_walk += 10; break;
        case DOUBLE_RETREAT_DRUG: f->double_retreat += 10; break;
        case BREAK_DRUG: f->break_skill += 10; break;
        }
    }
    return action;
}

INLINE int fencing_move(const Fencer *f, int action) {
    switch (action) {
    case WALK: return 20 + f->walk;
    case RETREAT: return -20 + f->retreat;
    case DOUBLE_WALK: return 40 + f->double_walk;
    case DOUBLE_RETREAT: return -30 + f->double_retreat;
    }
    return 0;
}

static int64_t fencing(uint64_t seed, int64_t first, int64_t games) {
    int64_t rounds = 0;
    for (int64_t i = first; i < first + games; i++) {
        uint64_t key = game_key(seed, i);
        Fencer r = {200, 20, 0, 0, 20}, b = {300, 20, 0, 0, 20};
        int n = 0, end = 0, turn = 0;
        while (!end && n < LIMIT) {
            int red = pick(draw(key, n, 0), 0x7FFF), blue = pick(draw(key, n, 1), 0x7FFF);
            picks[0][red]++;
            picks[1][blue]++;
            int ra = fencing_pay(&r, red), ba = fencing_pay(&b, blue);
            r.position += fencing_move(&r, ra);
            b.position -= fencing_move(&b, ba);
            int r_out = r.position < 0 || r.position > 500, b_out = b.position < 0 || b.position > 500;
            int collided = r.position > b.position, r_hit = 0, b_hit = 0;
            if (!r_out && !b_out) {
                int distance = abs(r.position - b.position);
                if (ra == LUNGE) {
                    r_hit = distance <= 40 + r.lunge + (ba == PARRY ? -40 + b.parry : 0);
                    if (!r_hit && ba == PARRY) { r.energy -= 2; b.energy = min(b.energy + 2, b.energy_max); }
                }
                if (ba == LUNGE) {
                    b_hit = distance <= 40 + b.lunge + (ra == PARRY ? -40 + r.parry : 0);
                    if (!b_hit && ra == PARRY) { b.energy -= 2; r.energy = min(r.energy + 2, r.energy_max); }
                }
            }
            r.score += r_hit + b_out;
            b.score += b_hit + r_out;
            n++;
            turn++;
            int r_dq = r.energy < 0 || r.doped, b_dq = b.energy < 0 || b.doped;
            int decided = max(r.score, b.score) >= 20 && abs(r.score - b.score) >= 2;
            if (r_dq || b_dq) {
                end = end_of(r.energy < 0 || b.energy < 0 ? 3 : 4, r_dq && b_dq ? -1 : r_dq ? 1 : 0);
            } else if (decided) {
                end = end_of(1, r.score > b.score ? 0 : 1);
            } else {
                if (r_hit || b_hit || r_out || b_out || collided) {
                    turn = min(turn + 1, 200);
                    r.position = 200;
                    b.position = 300;
                }
                if (turn >= 200) {
                    if (r.score == 0 && b.score == 0) end = end_of(5, -1);
                    else end = end_of(2, r.score > b.score ? 0 : b.score > r.score ? 1 : -1);
                }
            }
        }
        count(end, n);
        rounds += n;
    }
    return rounds;
}

/* Defend The City */

static int64_t defend_the_city(uint64_t seed, int64_t first, int64_t games) {
    const uint64_t all = (1ull << 36) - 1, answers = 3ull << 49;
    int64_t rounds = 0;
    for (int64_t i = first; i < first + games; i++) {
        uint64_t key = game_key(seed, i);
        int rs = 30, bs = 30, ro = 0, rd = 0, bo = 0, bd = 0, reacting = 0, defeated = 0;
        int n = 0, end = 0;
        while (!end && n < LIMIT) {
            int red = -1, blue = -1, red_asked = 0, blue_asked = 0;
            if (reacting) {
                red_asked = ro < bo;
                blue_asked = !red_asked;
            }
            uint64_t red_menu = reacting ? (red_asked ? answers : 0) : rs > 0 ? all : 0;
            uint64_t blue_menu = reacting ? (blue_asked ? answers : 0) : bs > 0 ? all : 0;
            if (red_menu) { red = pick(draw(key, n, 0), red_menu); picks[0][red]++; }
            if (blue_menu) { blue = pick(draw(key, n, 1), blue_menu); picks[1][blue]++; }
            n++;
            if (!reacting) {
                ro = red >= 0 ? red / 6 : 0;
                rd = red >= 0 ? red % 6 : 0;
                bo = blue >= 0 ? blue / 6 : 0;
                bd = blue >= 0 ? blue % 6 : 0;
                if ((ro < bo && ro > 0 && rs > 0) || (bo < ro && bo > 0 && bs > 0)) {
                    reacting = 1;
                    continue;
                }
            } else {
                if (red == 50) ro = 0;
                if (blue == 50) bo = 0;
                reacting = 0;
            }
            int face = below(draw(key, n - 1, 2), 25), red_roll = face % 5, blue_roll = face / 5;
            int red_aims = red_roll < ro - bd, blue_aims = blue_roll < bo - rd;
            int red_hits = red_aims && !(blue_aims && bo > ro);
            int blue_hits = blue_aims && !(red_aims && ro > bo);
            rs -= ro + rd;
            bs -= bo + bd;
            if (blue_hits) {
                end = end_of(2, 1);
            } else if (red_hits) {
                rs = bs = 30;
                if (++defeated == 5) end = end_of(1, 0);
            } else if (rs <= 0 && bs <= 0) {
                rs = bs = 30;
            }
        }
        count(end, n);
        rounds += n;
    }
    return rounds;
}

/* MagicDuel */

typedef struct { int kind, hp, attack, age; } Minion;
typedef struct { int hp, magic, burn, shield; Minion minions[2]; } Player;
enum { NONE, BUBBLE, SPECTER };
enum { C_MAGIC = 0, C_NORMAL = 1, C_PIERCE = 16, C_BUBBLE = 19, C_SPECTER = 22, C_STRIKE = 25, C_HEAL = 28 };
static const Minion nothing = {0, 0, 0, 0};

INLINE int minions_of(const Player *p) {
    return (p->minions[0].kind != NONE) + (p->minions[1].kind != NONE);
}

INLINE void kill_minion(Player *p, int place) {
    if (place == 0) p->minions[0] = p->minions[1];
    p->minions[1] = nothing;
}

INLINE void strike_minion(Player *p, int place, int damage) {
    p->minions[place].hp -= damage;
    if (p->minions[place].hp <= 0) kill_minion(p, place);
}

INLINE void strike(Player *foe, int target, int damage, int burn) {
    if (target) { strike_minion(foe, target - 1, damage); return; }
    int absorbed = min(foe->shield, damage), lost = damage - absorbed;
    foe->shield -= absorbed;
    foe->hp -= lost;
    if (lost > 0) foe->burn += burn;
}

INLINE uint64_t castable(const Player *me, int kind) {
    if (minions_of(me) < 2) return 1;
    return (uint64_t)(me->minions[0].kind == kind) << 1 | (uint64_t)(me->minions[1].kind == kind) << 2;
}

INLINE void summon(Player *me, int kind, int buffed) {
    me->magic -= kind == BUBBLE ? 2 : 5;
    if (buffed) {
        Minion *m = &me->minions[buffed - 1];
        m->hp += kind == BUBBLE ? 2 : 1;
        m->attack += kind == SPECTER;
    } else {
        Minion fresh = {kind, kind == BUBBLE ? 6 : 10, kind == SPECTER, 0};
        me->minions[minions_of(me)] = fresh;
    }
}

INLINE int next_specter(const Player *p, int place) {
    if (place <= 0 && p->minions[0].kind == SPECTER) return 0;
    if (place <= 1 && p->minions[1].kind == SPECTER) return 1;
    return 2;
}

static int64_t magic_duel(uint64_t seed, int64_t first, int64_t games) {
    int64_t rounds = 0;
    for (int64_t i = first; i < first + games; i++) {
        uint64_t key = game_key(seed, i);
        Player players[2] = {{25, 0, 0, 0, {{0}}}, {25, 0, 0, 0, {{0}}}};
        int n = 0, end = 0, seat = 0, moves = 2, specter = -1;
        while (!end && n < LIMIT) {
            Player *me = &players[seat], *foe = &players[1 - seat];
            uint64_t targets = (2ull << minions_of(foe)) - 1, menu;
            if (specter >= 0) {
                menu = targets << C_STRIKE;
            } else {
                menu = 1 | targets << C_PIERCE | targets << C_NORMAL | targets << (C_NORMAL + 3)
                     | targets << (C_NORMAL + 6) | 1ull << C_HEAL | 1ull << (C_HEAL + 5);
                if (me->magic >= 2) menu |= castable(me, BUBBLE) << C_BUBBLE;
                if (me->magic >= 5) menu |= castable(me, SPECTER) << C_SPECTER;
            }
            int choice = pick(draw(key, n, seat), menu);
            picks[seat][choice]++;
            n++;
            if (choice >= C_HEAL) {
                me->hp = min(me->hp + 5, 25);
                me->burn = 0;
                me->shield += choice - C_HEAL;
            } else if (choice >= C_STRIKE) {
                strike(foe, choice - C_STRIKE, me->minions[specter].attack, 1);
            } else if (choice >= C_SPECTER) {
                summon(me, SPECTER, choice - C_SPECTER);
            } else if (choice >= C_BUBBLE) {
                summon(me, BUBBLE, choice - C_BUBBLE);
            } else if (choice >= C_PIERCE) {
                if (choice > C_PIERCE) strike_minion(foe, choice - C_PIERCE - 1, 5);
                else foe->hp -= 5;
            } else if (choice >= C_NORMAL) {
                strike(foe, (choice - C_NORMAL) % 3, 3 + me->magic, (choice - C_NORMAL) / 3);
                me->magic = 0;
            } else {
                me->magic += 4;
            }
            if (foe->hp <= 0) { end = end_of(1, seat); break; }
            if (specter < 0 && --moves > 0) continue;
            specter = next_specter(me, specter + 1);
            if (specter < 2) continue;
            specter = -1;
            seat = 1 - seat;
            moves = 2;
            foe->shield = max(0, foe->shield - 1);
            foe->hp -= foe->burn;
            if (foe->hp <= 0) { end = end_of(1, 1 - seat); break; }
            for (int place = 1; place >= 0; place--) {
                Minion *m = &foe->minions[place];
                if (m->kind == NONE) continue;
                m->age++;
                if (m->kind == BUBBLE) {
                    foe->magic++;
                    if (m->age >= 4) { foe->magic += m->hp; kill_minion(foe, place); }
                }
            }
        }
        count(end, n);
        rounds += n;
    }
    return rounds;
}

int main(int argc, char **argv) {
    static const struct { const char *name; int64_t (*play)(uint64_t, int64_t, int64_t); } all[] = {
        {"bagh", bagh}, {"fencing", fencing}, {"defend-the-city", defend_the_city}, {"magic-duel", magic_duel},
    };
    if (argc != 5) return fprintf(stderr, "usage: yardstick GAME SEED FIRST COUNT\n"), 2;
    for (size_t g = 0; g < sizeof all / sizeof *all; g++) {
        if (strcmp(argv[1], all[g].name)) continue;
        uint64_t seed = strtoull(argv[2], 0, 10);
        struct timespec a, b;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
        int64_t rounds = all[g].play(seed, strtoll(argv[3], 0, 10), strtoll(argv[4], 0, 10));
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
        printf("%lld %.9f\n", (long long)rounds, (double)(b.tv_sec - a.tv_sec) + (b.tv_nsec - a.tv_nsec) * 1e-9);
        for (int i = 0; i < 32; i++) printf("%lld ", (long long)ends[i]);
        printf("\n");
        for (int i = 0; i <= LIMIT; i++) printf("%lld ", (long long)lengths[i]);
        printf("\n");
        for (int i = 0; i < 128; i++) printf("%lld ", (long long)picks[i / 64][i % 64]);
        printf("\n");
        return 0;
    }
    return fprintf(stderr, "no game %s\n", argv[1]), 2;
}
