<?php
function verify_webhook(string $body, array $headers, array $secrets): bool
{
    $timestamp = $headers['webhook-timestamp'] ?? '';
    if (abs(time() - (int) $timestamp) > 300) {
        return false;
    }
    $id = $headers['webhook-id'] ?? '';
    $content = "$id.$timestamp.$body";
    foreach ($secrets as $secret) {
        $key = base64_decode(preg_replace('/^whsec_/', '', $secret));
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', $content, $key, true));
        foreach (explode(' ', $headers['webhook-signature'] ?? '') as $given) {
            if (hash_equals($expected, $given)) {
                return true;
            }
        }
    }
    return false;
}
