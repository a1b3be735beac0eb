import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

class WebhookVerifier {
  static boolean verify(byte[] body, Map<String, String> headers, List<String> secrets)
      throws GeneralSecurityException {
    String timestamp = headers.getOrDefault("webhook-timestamp", "");
    if (!timestamp.matches("[0-9]{1,12}")) return false;
    if (Math.abs(Instant.now().getEpochSecond() - Long.parseLong(timestamp)) > 300) return false;
    byte[] head = (headers.get("webhook-id") + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8);
    for (String secret : secrets) {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.replaceFirst("^whsec_", "")), "HmacSHA256"));
      mac.update(head);
      byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(StandardCharsets.UTF_8);
      for (String given : headers.getOrDefault("webhook-signature", "").split(" ")) {
        if (MessageDigest.isEqual(expected, given.getBytes(StandardCharsets.UTF_8))) return true;
      }
    }
    return false;
  }
}
