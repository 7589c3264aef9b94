/* @NAME@, a fencer for CodinGame's Fencing Esport and for Holmgang. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const char *const WORDS[] = {"@WORDS@"}; /* README.md has more of them */

struct fencer {
    int position, energy, score, drug_count, energy_max;
    int break_skill, walk_skill, double_walk_skill, retreat_skill, double_retreat_skill;
    int lunge_skill, parry_skill;
};

/* The word of this turn. Think here: you are always at the left. */
static const char *think(const struct fencer *me, const struct fencer *other)
{
    (void)me, (void)other;
    return WORDS[(size_t)rand() % (sizeof WORDS / sizeof *WORDS)];
}

static int read_fencer(struct fencer *f)
{
    return scanf("%d %d %d %d %d %d %d %d %d %d %d %d", &f->position, &f->energy, &f->score,
                 &f->drug_count, &f->energy_max, &f->break_skill, &f->walk_skill,
                 &f->double_walk_skill, &f->retreat_skill, &f->double_retreat_skill,
                 &f->lunge_skill, &f->parry_skill) == 12;
}

int main(void)
{
    struct fencer me, other;
    struct timespec now;

    timespec_get(&now, TIME_UTC);
    srand((unsigned)(now.tv_sec ^ now.tv_nsec));
    while (read_fencer(&me) && read_fencer(&other)) {
        puts(think(&me, &other));
        fflush(stdout);
    }
    return 0;
}
