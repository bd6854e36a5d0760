import de.timroes.axmlrpc.XMLRPCClient;
import java.net.URL;

/** Calls a procedure without a result with aXMLRPC. Usage: java -cp axmlrpc.jar Void.java URL. Prints what came, as JSON. */
class Void {
    public static void main(String[] args) throws Exception {
        try {
            Object result = new XMLRPCClient(new URL(args[0])).call("note", "java");
            System.out.println("{\"result\":" + (result instanceof String ? "\"" + result + "\"" : result) + "}");
        } catch (Exception error) {
            System.out.println("{\"error\":\"" + error.getClass().getSimpleName() + "\"}");
        }
    }
}
