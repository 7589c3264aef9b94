// @NAME@, a fencer for CodinGame's Fencing Esport and for Holmgang.

import java.util.Random;
import java.util.Scanner;

class Player {
    private static final String[] WORDS = {"@WORDS@"}; // README.md has more of them
    private static final Random DICE = new Random();

    record Fencer(
            int position, int energy, int score, int drugCount, int energyMax,
            int breakSkill, int walkSkill, int doubleWalkSkill,
            int retreatSkill, int doubleRetreatSkill, int lungeSkill, int parrySkill) {

        static Fencer read(Scanner in) {
            return new Fencer(
                    in.nextInt(), in.nextInt(), in.nextInt(), in.nextInt(), in.nextInt(),
                    in.nextInt(), in.nextInt(), in.nextInt(),
                    in.nextInt(), in.nextInt(), in.nextInt(), in.nextInt());
        }
    }

    /** The word of this turn. Think here: you are always at the left. */
    static String think(Fencer me, Fencer other) {
        return WORDS[DICE.nextInt(WORDS.length)];
    }

    public static void main(String[] arguments) {
        Scanner in = new Scanner(System.in);
        while (in.hasNextInt()) {
            Fencer me = Fencer.read(in);
            Fencer other = Fencer.read(in);
            System.out.println(think(me, other));
        }
    }
}
