/** Programs that verify one delivery, in four languages: over its raw bytes, in constant time. */
export interface SignedBody {
  readonly bodyBase64: string
  readonly signature: string
}

type Form = (delivery: SignedBody) => string

/** Every text of JSON is one of these languages, too. */
const quoted = (text: string): string => JSON.stringify(text)

/** A constant of Java has at most 65,535 bytes. */
const javaText = (text: string): string =>
  text.length < 60_000
    ? quoted(text)
    : `String.join("", ${(text.match(/.{1,60000}/g) ?? []).map(quoted).join(', ')})`

const python: Form = ({ bodyBase64, signature }) => `# Run: WEBHOOK_SECRET=whsec_… python3 verify.py
import base64
import hashlib
import hmac
import os


def is_genuine(body: bytes, given: str, secret: str) -> bool:
    """body: the raw bytes, before any JSON parser."""
    expected = "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(given.encode("latin-1"), expected.encode())


body = base64.b64decode(${quoted(bodyBase64)})
given = ${quoted(signature)}
print("genuine" if is_genuine(body, given, os.environ["WEBHOOK_SECRET"]) else "forged")
`

const node: Form = ({ bodyBase64, signature }) => `// Run: WEBHOOK_SECRET=whsec_… node verify.mjs
import { createHmac, timingSafeEqual } from 'node:crypto'

/** body: a Buffer with the raw bytes, before any JSON parser. */
function isGenuine(body, given, secret) {
  const expected = Buffer.from('sha256=' + createHmac('sha256', secret).update(body).digest('hex'))
  const sent = Buffer.from(given, 'latin1')
  return sent.length === expected.length && timingSafeEqual(sent, expected)
}

const body = Buffer.from(${quoted(bodyBase64)}, 'base64')
const given = ${quoted(signature)}
console.log(isGenuine(body, given, process.env.WEBHOOK_SECRET) ? 'genuine' : 'forged')
`

const go: Form = ({ bodyBase64, signature }) => `// Run: WEBHOOK_SECRET=whsec_… go run verify.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"os"
)

// isGenuine takes the raw bytes, before any JSON decoder.
func isGenuine(body []byte, given, secret string) bool {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	expected := "sha256=" + hex.EncodeToString(mac.Sum(nil))
	return hmac.Equal([]byte(given), []byte(expected))
}

func main() {
	body, err := base64.StdEncoding.DecodeString(${quoted(bodyBase64)})
	if err != nil {
		panic(err)
	}
	given := ${quoted(signature)}
	if isGenuine(body, given, os.Getenv("WEBHOOK_SECRET")) {
		fmt.Println("genuine")
	} else {
		fmt.Println("forged")
	}
}
`

const java: Form = ({ bodyBase64, signature }) => `// Run: WEBHOOK_SECRET=whsec_… java Verify.java
import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Verify {
    /** body: the raw bytes, before any JSON parser. */
    static boolean isGenuine(byte[] body, String given, String secret) throws Exception {
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
        var expected = "sha256=" + HexFormat.of().formatHex(mac.doFinal(body));
        return MessageDigest.isEqual(given.getBytes(UTF_8), expected.getBytes(UTF_8));
    }

    public static void main(String... words) throws Exception {
        var body = Base64.getDecoder().decode(${javaText(bodyBase64)});
        var given = ${quoted(signature)};
        System.out.println(isGenuine(body, given, System.getenv("WEBHOOK_SECRET")) ? "genuine" : "forged");
    }
}
`

export const verifyForms: Readonly<Record<string, Form>> = {
  Node: node,
  Python: python,
  Go: go,
  Java: java,
}
