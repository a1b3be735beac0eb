<?php
/** $keys: the decoded JSON of /.well-known/jwks.json. Returns the claims, or null if the token is not valid. */
function verify_token(string $token, array $keys, string $issuer, string $project): ?array
{
    $decode = fn (string $text) => (string) base64_decode(strtr($text, '-_', '+/'));
    [$head, $body, $signature] = array_pad(explode('.', $token), 3, '');
    $header = json_decode($decode($head), true);
    $found = array_filter($keys['keys'], fn ($key) => $key['kid'] === ($header['kid'] ?? null));
    $bytes = $decode($signature);
    if (($header['alg'] ?? null) !== 'ES256' || count($found) !== 1 || strlen($bytes) !== 64) {
        return null;
    }
    // OpenSSL takes the key in PEM, and the two numbers of the signature in DER.
    $key = array_values($found)[0];
    $prefix = hex2bin('3059301306072a8648ce3d020106082a8648ce3d03010703420004');
    $pem = "-----BEGIN PUBLIC KEY-----\n" . base64_encode($prefix . $decode($key['x']) . $decode($key['y']))
        . "\n-----END PUBLIC KEY-----";
    $integer = function (string $number): string {
        $number = ltrim($number, "\0");
        if ($number === '' || ord($number[0]) > 127) {
            $number = "\0$number";
        }
        return "\x02" . chr(strlen($number)) . $number;
    };
    $pair = implode('', array_map($integer, str_split($bytes, 32)));
    $der = "\x30" . chr(strlen($pair)) . $pair;
    if (openssl_verify("$head.$body", $der, $pem, OPENSSL_ALGO_SHA256) !== 1) {
        return null;
    }
    $claims = json_decode($decode($body), true);
    $isValid = $claims['iss'] === $issuer && $claims['aud'] === $project && $claims['exp'] > time();
    return $isValid ? $claims : null;
}
