import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;

/**
 * Imports a file of parking sessions, one JSON object per line, using only the JDK (17 or later).
 *
 * <pre>
 * export GATEHOUSE_URL=https://localhost:8443 GATEHOUSE_API_KEY=...
 * export GATEHOUSE_CA=ca.pem          # only if the certificate is from a private authority
 * java ImportSessions.java sessions.ndjson
 * </pre>
 *
 * Each line has the fields of a transaction; "location" is your own id of its location (tpReferenceId). You can run it
 * again at any time: stored records are Skipped.
 */
public class ImportSessions {
  static final int BATCH_RECORDS = 500;
  static final int BATCH_BYTES = 5 * 1024 * 1024 - 1024; // the rest is for what surrounds the records
  static final int ATTEMPTS = 8;
  static final long LONGEST_PAUSE_MS = 60_000;
  static final int CREATED = 1, SKIPPED = 3, FAILED = 4;
  static final int INTERNAL_ERROR = 99;

  final String url = System.getenv("GATEHOUSE_URL").replaceAll("/$", "");
  final String key = System.getenv("GATEHOUSE_API_KEY");
  final HttpClient http;
  final Map<Integer, Integer> counts = new HashMap<>(Map.of(CREATED, 0, SKIPPED, 0, FAILED, 0));

  ImportSessions() throws IOException, GeneralSecurityException {
    var authority = System.getenv("GATEHOUSE_CA");
    var builder = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(20));
    http = (authority == null ? builder : builder.sslContext(trustOnly(Path.of(authority)))).build();
  }

  public static void main(String[] arguments) throws Exception {
    System.exit(new ImportSessions().run(Path.of(arguments[0])));
  }

  int run(Path file) throws Exception {
    var locations = new HashMap<Object, Object>();
    pages("/integrations/locations", 500, place -> locations.put(place.get("tpReferenceId"), place.get("uuid")));
    var batch = new ArrayList<String>();
    var bytes = 0;
    try (var lines = Files.newBufferedReader(file)) {
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        var record = Json.object(Json.read(line));
        // An unknown id is sent unchanged: that record fails with a reason, and the others are imported.
        var name = record.remove("location");
        record.put("locationUuid", locations.getOrDefault(name, name));
        var text = Json.write(record);
        var size = text.getBytes(StandardCharsets.UTF_8).length + 1;
        if (batch.size() == BATCH_RECORDS || (bytes + size > BATCH_BYTES && !batch.isEmpty())) {
          importBatch(batch);
          batch.clear();
          bytes = 0;
        }
        batch.add(text);
        bytes += size;
      }
    }
    if (!batch.isEmpty()) importBatch(batch);
    System.out.printf(
        "created %d, skipped %d, failed %d%n", counts.get(CREATED), counts.get(SKIPPED), counts.get(FAILED));
    var runs = new ArrayList<Object>();
    pages("/integrations/imports", 100, run -> runs.add(run.get("referenceUuid")));
    System.out.printf("%d runs, the newest is %s%n", runs.size(), runs.isEmpty() ? "none" : runs.get(0));
    return counts.get(FAILED) > 0 ? 1 : 0;
  }

  void importBatch(List<String> batch) throws Exception {
    var results = send(batch);
    var again = new ArrayList<String>();
    for (var at = 0; at < results.size(); at++) {
      // The service could not store these records; the others of the batch are stored.
      if (number(results.get(at), "reasonCode") == INTERNAL_ERROR) again.add(batch.get(at));
      else count(results.get(at));
    }
    if (!again.isEmpty()) send(again).forEach(this::count);
  }

  List<Map<String, Object>> send(List<String> records) throws Exception {
    var run = call("POST", "/integrations/transactions", "{\"transactions\":[" + String.join(",", records) + "]}");
    return Json.objects(run.get("results"));
  }

  void count(Map<String, Object> result) {
    counts.merge(number(result, "status"), 1, Integer::sum);
    if (number(result, "status") == FAILED)
      System.err.printf(
          "%s: %d %s%n", result.get("reference"), number(result, "reasonCode"), result.get("errorDetail"));
  }

  static int number(Map<String, Object> object, String field) {
    return object.get(field) instanceof BigDecimal value ? value.intValue() : 0;
  }

  /** All items of a list, page by page. */
  void pages(String path, int pageSize, Consumer<Map<String, Object>> take) throws Exception {
    for (var page = 1; ; page++) {
      var answer = call("GET", path + "?page=" + page + "&pageSize=" + pageSize, null);
      Json.objects(answer.get("data")).forEach(take);
      if (answer.get("hasNextPage") != Boolean.TRUE) return;
    }
  }

  /** Sends one request until it gets a response. Imports and reads can be repeated safely. */
  Map<String, Object> call(String method, String path, String body) throws Exception {
    var content = body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body);
    var request =
        HttpRequest.newBuilder(URI.create(url + path))
            .timeout(Duration.ofSeconds(120))
            .header("X-API-KEY", key)
            .header("Content-Type", "application/json")
            .method(method, content)
            .build();
    var trouble = "";
    for (var attempt = 1; attempt <= ATTEMPTS; attempt++) {
      var askedMs = 0L;
      try {
        var answer = http.send(request, HttpResponse.BodyHandlers.ofString());
        var status = answer.statusCode();
        if (status == 200) {
          keepPace(answer.headers());
          return Json.object(Json.read(answer.body()));
        }
        trouble = status + " " + answer.headers().firstValue("X-Error").orElse("");
        if (status < 500 && status != 408 && status != 429)
          throw new IllegalStateException(method + " " + path + " is refused: " + trouble + " " + answer.body());
        askedMs = answer.headers().firstValueAsLong("Retry-After").orElse(0) * 1000;
      } catch (SSLHandshakeException error) {
        throw new IllegalStateException(url + " is not trusted. Name its authority in GATEHOUSE_CA.", error);
      } catch (IOException error) {
        // No response, or an incomplete one. The batch may have been stored; resending it is safe.
        trouble = error.toString();
      }
      if (attempt == ATTEMPTS) break;
      var backoffMs = 1000L << (attempt - 1);
      var pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(askedMs, backoffMs)) + (long) (Math.random() * 1000);
      System.err.printf("%s %s: %s; again in %d s%n", method, path, trouble, pauseMs / 1000);
      Thread.sleep(pauseMs);
    }
    throw new IllegalStateException(method + " " + path + " failed " + ATTEMPTS + " times: " + trouble);
  }

  /** If this was the last request of the rate limit window, waits for the next window. */
  static void keepPace(HttpHeaders headers) throws InterruptedException {
    if (headers.firstValueAsLong("X-RateLimit-Remaining").orElse(1) > 0) return;
    var resetMs = headers.firstValueAsLong("X-RateLimit-Reset").orElse(0) * 1000;
    Thread.sleep(Math.min(LONGEST_PAUSE_MS, Math.max(0, resetMs - System.currentTimeMillis()) + 100));
  }

  static SSLContext trustOnly(Path authority) throws IOException, GeneralSecurityException {
    var store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (InputStream file = Files.newInputStream(authority)) {
      store.setCertificateEntry("gatehouse", CertificateFactory.getInstance("X.509").generateCertificate(file));
    }
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    var context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  /** JSON as maps, lists, strings, decimals and booleans. The JDK has no parser; use the library of your project. */
  static final class Json {
    private final String text;
    private int at = 0;

    private Json(String text) {
      this.text = text;
    }

    static Object read(String text) {
      return new Json(text).value();
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(Object value) {
      return (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked")
    static List<Map<String, Object>> objects(Object value) {
      return (List<Map<String, Object>>) value;
    }

    static String write(Object value) {
      if (value instanceof Map<?, ?> map) {
        var members = new ArrayList<String>();
        map.forEach((name, member) -> members.add(write(name) + ":" + write(member)));
        return "{" + String.join(",", members) + "}";
      }
      if (value instanceof List<?> list) return "[" + String.join(",", list.stream().map(Json::write).toList()) + "]";
      if (!(value instanceof String string)) return String.valueOf(value);
      var quoted = new StringBuilder("\"");
      for (var character : string.toCharArray()) {
        if (character == '"' || character == '\\') quoted.append('\\').append(character);
        else if (character < ' ') quoted.append(String.format("\\u%04x", (int) character));
        else quoted.append(character);
      }
      return quoted.append('"').toString();
    }

    private Object value() {
      switch (peek()) {
        case '{':
          var map = new LinkedHashMap<String, Object>();
          for (at++; peek() != '}'; skip(',')) {
            var name = string();
            skip(':');
            map.put(name, value());
          }
          at++;
          return map;
        case '[':
          var list = new ArrayList<Object>();
          for (at++; peek() != ']'; skip(',')) list.add(value());
          at++;
          return list;
        case '"':
          return string();
        default:
          var begin = at;
          while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) at++;
          var word = text.substring(begin, at);
          return switch (word) {
            case "true" -> true;
            case "false" -> false;
            case "null" -> null;
            default -> new BigDecimal(word);
          };
      }
    }

    private String string() {
      var read = new StringBuilder();
      if (peek() != '"') throw new IllegalArgumentException("no JSON at " + at);
      for (at++; text.charAt(at) != '"'; at++) {
        if (text.charAt(at) != '\\') {
          read.append(text.charAt(at));
          continue;
        }
        var escaped = text.charAt(++at);
        if (escaped == 'u') {
          read.append((char) Integer.parseInt(text, at + 1, at + 5, 16));
          at += 4;
        } else {
          var index = "bfnrt".indexOf(escaped);
          read.append(index < 0 ? escaped : "\b\f\n\r\t".charAt(index));
        }
      }
      at++;
      return read.toString();
    }

    private char peek() {
      while (Character.isWhitespace(text.charAt(at))) at++;
      return text.charAt(at);
    }

    private void skip(char expected) {
      if (peek() == expected) at++;
    }
  }
}
