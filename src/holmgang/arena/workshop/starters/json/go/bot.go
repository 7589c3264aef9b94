// @NAME@, a bot for Holmgang: it answers each request for a choice with a line of JSON.
package main

import (
	"encoding/json"
	"math/rand"
	"os"
	"time"
)

// Message is a line from the judge. README.md shows what else is in a request.
type Message struct {
	Type    string          `json:"type"`
	ID      int             `json:"id"`
	Seat    string          `json:"seat"`
	State   json.RawMessage `json:"state"`
	Choices []string        `json:"choices"`
}

// Hello says who this is.
type Hello struct {
	Name     string `json:"name"`
	Author   string `json:"author"`
	Protocol int    `json:"protocol"`
}

// Answer has a choice, or a mix of weights from which the judge draws.
type Answer struct {
	ID     int                `json:"id"`
	Choice string             `json:"choice,omitempty"`
	Mix    map[string]float64 `json:"mix,omitempty"`
}

var dice = rand.New(rand.NewSource(time.Now().UnixNano()))

// think makes the choice. Think here: read request.State into a type of your own.
func think(request Message) Answer {
	choice := request.Choices[dice.Intn(len(request.Choices))]
	return Answer{ID: request.ID, Choice: choice}
}

func main() {
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var message Message
		if in.Decode(&message) != nil {
			return // there is nothing more to read
		}
		switch message.Type {
		case "hello":
			out.Encode(Hello{"@NAME@", "@AUTHOR@", 1})
		case "choose":
			out.Encode(think(message))
		} // else the start or the end of a game, or what a later version may say
	}
}
