// @NAME@, a fencer for CodinGame's Fencing Esport and for Holmgang.
package main

import (
	"bufio"
	"fmt"
	"math/rand"
	"os"
	"time"
)

var words = []string{"@WORDS@"} // README.md has more of them

// Fencer is what a line tells of one side.
type Fencer struct {
	Position, Energy, Score, DrugCount, EnergyMax                            int
	BreakSkill, WalkSkill, DoubleWalkSkill, RetreatSkill, DoubleRetreatSkill int
	LungeSkill, ParrySkill                                                   int
}

var dice = rand.New(rand.NewSource(time.Now().UnixNano()))

// think gives the word of this turn. Think here: you are always at the left.
func think(me, other Fencer) string {
	return words[dice.Intn(len(words))]
}

func readFencer(in *bufio.Reader) (f Fencer, err error) {
	_, err = fmt.Fscan(in, &f.Position, &f.Energy, &f.Score, &f.DrugCount, &f.EnergyMax,
		&f.BreakSkill, &f.WalkSkill, &f.DoubleWalkSkill, &f.RetreatSkill,
		&f.DoubleRetreatSkill, &f.LungeSkill, &f.ParrySkill)
	return f, err
}

func main() {
	in := bufio.NewReader(os.Stdin)
	for {
		me, err := readFencer(in)
		if err != nil {
			return // there is nothing more to read
		}
		other, err := readFencer(in)
		if err != nil {
			return
		}
		fmt.Println(think(me, other))
	}
}
