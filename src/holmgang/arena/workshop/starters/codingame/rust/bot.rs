//! @NAME@, a fencer for CodinGame's Fencing Esport and for Holmgang.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io;

const WORDS: &[&str] = &["@WORDS@"]; // README.md has more of them

#[allow(dead_code)] // you will need them
struct Fencer {
    position: i32,
    energy: i32,
    score: i32,
    drug_count: i32,
    energy_max: i32,
    break_skill: i32,
    walk_skill: i32,
    double_walk_skill: i32,
    retreat_skill: i32,
    double_retreat_skill: i32,
    lunge_skill: i32,
    parry_skill: i32,
}

/// The word of this turn. Think here: you are always at the left.
fn think(_me: &Fencer, _other: &Fencer) -> &'static str {
    WORDS[random() as usize % WORDS.len()]
}

/// Any number: the standard library has no dice, but its hash tables are seeded by them.
fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// The fencer of the next line; none when there is nothing more to read.
fn read_fencer() -> Option<Fencer> {
    let mut line = String::new();
    io::stdin().read_line(&mut line).ok()?;
    let mut numbers = line.split_whitespace().map_while(|word| word.parse().ok());
    Some(Fencer {
        position: numbers.next()?,
        energy: numbers.next()?,
        score: numbers.next()?,
        drug_count: numbers.next()?,
        energy_max: numbers.next()?,
        break_skill: numbers.next()?,
        walk_skill: numbers.next()?,
        double_walk_skill: numbers.next()?,
        retreat_skill: numbers.next()?,
        double_retreat_skill: numbers.next()?,
        lunge_skill: numbers.next()?,
        parry_skill: numbers.next()?,
    })
}

fn main() {
    while let (Some(me), Some(other)) = (read_fencer(), read_fencer()) {
        println!("{}", think(&me, &other));
    }
}
