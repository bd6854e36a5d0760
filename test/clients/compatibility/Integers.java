import de.timroes.axmlrpc.XMLRPCClient;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;

/**
 * Calls servers with aXMLRPC. Usage: java -cp axmlrpc.jar Integers.java URL METHOD ARGUMENT ..., each ARGUMENT none, integer or text. Prints
 * the type and the text of each result, or the error, as JSON.
 */
class Integers {
    public static void main(String[] calls) {
        List<String> outcomes = new ArrayList<>();
        for (int i = 0; i < calls.length; i += 3) outcomes.add(outcome(calls[i], calls[i + 1], calls[i + 2]));
        System.out.println("[" + String.join(",", outcomes) + "]");
    }

    private static String outcome(String url, String method, String argument) {
        try {
            // The flag sends a long as <i8>; without it a long is an error.
            XMLRPCClient client = new XMLRPCClient(new URL(url), XMLRPCClient.FLAGS_8BYTE_INT);
            Object result = switch (argument) {
                case "integer" -> client.call(method, 4006381333931L);
                case "text" -> client.call(method, "4006381333931");
                default -> client.call(method);
            };
            return pair(result.getClass().getSimpleName(), result.toString());
        } catch (Exception error) {
            return pair("error", error.getMessage());
        }
    }

    private static String pair(String kind, String text) {
        StringBuilder ascii = new StringBuilder();
        for (char unit : String.valueOf(text).toCharArray()) {
            if (unit < ' ' || unit > '~' || unit == '"' || unit == '\\') ascii.append(String.format("\\u%04x", (int) unit));
            else ascii.append(unit);
        }
        return "[\"" + kind + "\",\"" + ascii + "\"]";
    }
}
