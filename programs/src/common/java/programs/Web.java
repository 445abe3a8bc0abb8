package programs;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/** The answers of the web servers, and the clients that load the servers over loopback. */
final class Web {
    private Web() {
    }

    /** The page for a query such as {@code n=17}: text that depends only on the query. */
    static String page(String query) {
        int n = Integer.parseInt(query.substring(query.indexOf('=') + 1));
        StringBuilder text = new StringBuilder("<ul>\n");
        SplittableRandom random = new SplittableRandom(n);
        for (int i = 0; i < 20; i++) {
            text.append("<li>").append(n).append('.').append(i).append(' ').append(random.nextInt(1000)).append("</li>\n");
        }
        return text.append("</ul>\n").toString();
    }

    /** The answer to a posted text. */
    static String echo(String body) {
        return new StringBuilder(body).reverse().toString();
    }

    /** Runs clients that each make this many requests, alternating gets and posts, and check and print the answers. */
    static void load(int port, int threads, int requests) throws Exception {
        String server = "http://" + InetAddress.getLoopbackAddress().getHostAddress() + ":" + port;
        Team.print(threads, client -> {
            Digest digest = new Digest();
            for (int i = 0; i < requests; i++) {
                String text = "client " + client + " request " + i;
                String query = "n=" + (client * requests + i);
                boolean isGet = i % 2 == 0;
                String answer = isGet ? request(server + "/page?" + query, null) : request(server + "/echo", text);
                if (!answer.equals(isGet ? page(query) : echo(text))) {
                    throw new IllegalStateException(text + ": a wrong answer: " + answer);
                }
                digest.add(answer);
            }
            return digest;
        });
    }

    private static String request(String address, String body) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) new URL(address).openConnection();
        if (body != null) {
            connection.setDoOutput(true);
            connection.setRequestProperty("Content-Type", "text/plain");
            connection.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
        }
        try (InputStream in = connection.getInputStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
