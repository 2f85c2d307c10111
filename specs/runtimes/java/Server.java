import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.Executors;

/** Answers GET /orders/ID with an order in JSON: its 20 lines, and what they cost. */
public class Server {
    private static final int ORDERS = 1000;
    private static final int LINES = 20;

    public static void main(String[] args) throws IOException {
        int port = Integer.parseInt(System.getenv("PORT"));
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
        Changes changes = new Changes();
        server.createContext("/orders/", exchange -> order(exchange, changes));
        server.setExecutor(Executors.newFixedThreadPool(changes.threads));
        server.start();
    }

    private static void order(HttpExchange exchange, Changes changes) throws IOException {
        changes.before();
        String path = exchange.getRequestURI().getPath();
        int id = Integer.parseInt(path.substring("/orders/".length())) % ORDERS;
        byte[] body = json(id).getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("content-type", "application/json");
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static String json(int id) {
        StringBuilder json = new StringBuilder("{\"id\":").append(id).append(",\"lines\":[");
        double total = 0;
        for (int line = 0; line < LINES; line++) {
            int article = (id * 31 + line * 7) % 997;
            double price = article / 7.0;
            total += price;
            if (line > 0) json.append(',');
            json.append(String.format(Locale.ROOT, "{\"article\":\"article %d\",\"price\":%.2f}", article, price));
        }
        return json.append(String.format(Locale.ROOT, "],\"total\":%.2f}", total)).toString();
    }
}
