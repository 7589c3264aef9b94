// @NAME@, a bot for Holmgang: it answers each request for a choice with a line of JSON.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

public class Bot {
    private static final Random DICE = new Random();

    /**
     * The choice to make. Think here: README.md shows what is in a request. A number in it is
     * request.get("state").get("red").get("hp").number(), for example.
     */
    static Json think(Json request) {
        List<Json> choices = request.get("choices").items();
        return choices.get(DICE.nextInt(choices.size()));
    }

    public static void main(String[] arguments) throws IOException {
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Json message = new Json(line.strip());
            Json type = message.get("type");
            if (type.is("hello")) {
                out.print("{\"name\": \"@NAME@\", \"author\": \"@AUTHOR@\", \"protocol\": 1}\n");
            } else if (type.is("choose")) {
                String id = message.get("id").text();
                out.print("{\"id\": " + id + ", \"choice\": " + think(message).text() + "}\n");
            } // else the start or the end of a game, or what a later version may say
            out.flush();
        }
    }
}

/** JSON, as much of it as a bot needs: the text of a value. What is missing is empty. */
record Json(String text) {
    private static final String BETWEEN = " \t\r\n,:";

    boolean is(String word) {
        return text.equals('"' + word + '"');
    }

    double number() {
        return Double.parseDouble(text);
    }

    /** The value of a key in an object. */
    Json get(String key) {
        List<Json> items = items();
        for (int i = 0; i + 1 < items.size(); i += 2) {
            if (items.get(i).is(key)) {
                return items.get(i + 1);
            }
        }
        return new Json("");
    }

    /** The items of an array; the keys and values of an object, in turn. */
    List<Json> items() {
        List<Json> items = new ArrayList<>();
        if (!text.startsWith("[") && !text.startsWith("{")) {
            return items;
        }
        for (int at = next(1); at < text.length() && !isClosing(at); ) {
            int end = after(at);
            items.add(new Json(text.substring(at, end)));
            at = next(end);
        }
        return items;
    }

    private boolean isClosing(int at) {
        return text.charAt(at) == ']' || text.charAt(at) == '}';
    }

    private int next(int at) {
        while (at < text.length() && BETWEEN.indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return at;
    }

    /** The place right after the value that begins here. */
    private int after(int at) {
        char first = text.charAt(at++);
        if (first == '"') {
            while (at < text.length() && text.charAt(at) != '"') {
                at += text.charAt(at) == '\\' ? 2 : 1;
            }
            return Math.min(at + 1, text.length());
        }
        if (first == '[' || first == '{') {
            at = next(at);
            while (at < text.length() && !isClosing(at)) {
                at = next(after(at));
            }
            return Math.min(at + 1, text.length());
        }
        while (at < text.length() && BETWEEN.indexOf(text.charAt(at)) < 0 && !isClosing(at)) {
            at++;
        }
        return at;
    }
}
