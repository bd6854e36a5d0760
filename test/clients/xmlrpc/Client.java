// Calls the test server with what Java brings: its HttpClient, which asks for HTTP/2 first, and its XML parser.
// Usage: java Client.java URL METHOD VALUE ..., each VALUE as it stands in a call. Prints what came, tagged by type, as JSON.

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

class Client {
    public static void main(String[] args) throws Exception {
        HttpClient client = HttpClient.newHttpClient();
        System.out.print("[");
        for (int i = 1; i < args.length; i += 2) {
            String body = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><methodCall><methodName>" + args[i]
                + "</methodName><params><param><value>" + args[i + 1] + "</value></param></params></methodCall>";
            HttpRequest request = HttpRequest.newBuilder(URI.create(args[0]))
                .header("Content-Type", "text/xml; charset=utf-8")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
            HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
            System.out.print((i > 1 ? "," : "") + read(response));
        }
        System.out.println("]");
    }

    private static String read(HttpResponse<byte[]> response) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setNamespaceAware(true);
        Element root = factory.newDocumentBuilder().parse(new ByteArrayInputStream(response.body())).getDocumentElement();
        Element first = children(root).get(0);
        if (first.getTagName().equals("fault")) return "{\"fault\":" + value(children(first).get(0)) + "}";
        return value(children(children(first).get(0)).get(0));
    }

    private static String value(Element value) {
        Element type = children(value).get(0);
        StringBuilder text = new StringBuilder();
        switch (type.getTagName()) {
            case "array":
                for (Element each : children(children(type).get(0))) join(text, value(each));
                return "{\"array\":[" + text + "]}";
            case "struct":
                for (Element member : children(type)) {
                    join(text, quote(children(member).get(0).getTextContent()) + ":" + value(children(member).get(1)));
                }
                return "{\"struct\":{" + text + "}}";
            default:
                return "{" + quote(type.getTagName()) + ":" + quote(type.getTextContent()) + "}";
        }
    }

    private static void join(StringBuilder all, String each) {
        all.append(all.length() == 0 ? "" : ",").append(each);
    }

    private static List<Element> children(Element element) {
        List<Element> found = new ArrayList<>();
        for (Node node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element) found.add((Element) node);
        }
        return found;
    }

    /** JSON in ASCII. */
    private static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char unit : text.toCharArray()) {
            if (unit < ' ' || unit > '~' || unit == '"' || unit == '\\') quoted.append(String.format("\\u%04x", (int) unit));
            else quoted.append(unit);
        }
        return quoted.append('"').toString();
    }
}
