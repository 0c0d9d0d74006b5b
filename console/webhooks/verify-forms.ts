/** How a receiver verifies a delivery, in four languages: over the raw bytes, in constant time. */
export const verifyForms: Readonly<Record<string, (header: string) => string>> = {
  Node: (header) => `import { createHmac, timingSafeEqual } from 'node:crypto'

// body: a Buffer with the raw bytes, before any JSON parser
export function isGenuine(body, headers, secret) {
  const expected = Buffer.from('sha256=' + createHmac('sha256', secret).update(body).digest('hex'))
  const sent = Buffer.from(headers['${header}'] ?? '')
  return sent.length === expected.length && timingSafeEqual(sent, expected)
}`,
  Python: (header) => `import hashlib
import hmac

# body: the raw bytes, before any JSON parser
def is_genuine(body: bytes, headers, secret: str) -> bool:
    expected = "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(headers.get("${header}", ""), expected)`,
  Go: (header) => `func isGenuine(body []byte, header http.Header, secret string) bool {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body) // the raw bytes, before any JSON decoder
	expected := "sha256=" + hex.EncodeToString(mac.Sum(nil))
	return hmac.Equal([]byte(header.Get("${header}")), []byte(expected))
}`,
  Java: (
    header,
  ) => `static boolean isGenuine(byte[] body, HttpHeaders headers, String secret) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
    String expected = "sha256=" + HexFormat.of().formatHex(mac.doFinal(body)); // the raw bytes
    String sent = headers.firstValue("${header}").orElse("");
    return MessageDigest.isEqual(sent.getBytes(UTF_8), expected.getBytes(UTF_8));
}`,
}
