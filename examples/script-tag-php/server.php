<?php
// Run it with: php -S localhost:3000 server.php
const UNAVAILABLE = ['detail' => 'This cannot be checked at the moment. Try again soon.'];
session_start(['cookie_samesite' => 'Lax', 'cookie_httponly' => true]);
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
// Half of a character, which a script may send, would make the whole body unreadable.
$half = '/\\\\ud[89ab][0-9a-f]{2}(?!\\\\ud[c-f])|(?<!\\\\ud[89ab][0-9a-f]{2})\\\\ud[c-f][0-9a-f]{2}/i';
$input = json_decode(preg_replace($half, '', file_get_contents('php://input')), true);
// Only texts: a script may send anything else.
$fields = array_filter(is_array($input) ? $input : [], 'is_string') + ['email' => '', 'password' => ''];
if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    if ($path !== '/') exit(http_response_code(404));
    exit(str_replace('{{WHORL_URL}}', getenv('WHORL_URL'), file_get_contents(__DIR__ . '/index.html')));
}
if (($_SERVER['HTTP_SEC_FETCH_SITE'] ?? 'same-origin') !== 'same-origin') answer(403, ['detail' => 'Not from this site.']);
// The challenge that this browser began. A page must not choose it.
$challenge = '/v2/challenges/' . rawurlencode($_SESSION['challenge'] ?? '');
match ($path) {
    '/sign-up' => signUp($fields),
    '/login' => logIn($fields),
    '/log-out' => answer(200, ['done' => session_destroy()]),
    '/whorl/nonce' => answer(...whorl('/v2/device/nonce')),
    '/whorl/send' => answer(...whorl("$challenge/send")),
    '/whorl/verify' => verify($challenge, $fields['code'] ?? ''),
    default => answer(404, ['detail' => 'There is no such path.']),
};

function signUp(array $fields): never
{
    $email = $fields['email'];
    if (isset(stored()[$email])) answer(409, ['detail' => 'There is an account with this address.']);
    // After a code, the page sends the same sign-up again.
    $id = $_SESSION['new ' . $email] ??= bin2hex(random_bytes(8));
    $account = ['id' => $id, 'hash' => password_hash($fields['password'], PASSWORD_DEFAULT)];
    protect('signup', $account['id'], $fields);
    stored([$email => $account]);
    session_regenerate_id(true);
    answer(200, ['email' => $_SESSION['email'] = $email]);
}

function logIn(array $fields): never
{
    $email = $fields['email'];
    // The name that was entered need not be one that the service accepts.
    $name = preg_match('/^\P{Cc}{1,256}/u', $email, $found) ? $found[0] : 'unknown';
    $account = stored()[$email] ?? ['id' => $name, 'hash' => ''];
    if (!password_verify($fields['password'], $account['hash'])) {
        // Answers as it would answer a right password, if that would be refused.
        protect('login', $account['id'], $fields, 'failed');
        answer(401, ['detail' => 'Wrong email address or password.']);
    }
    protect('login', $account['id'], $fields);
    session_regenerate_id(true);
    answer(200, ['email' => $_SESSION['email'] = $email]);
}

/** Asks for a verdict, and answers if the action must not continue. A failed attempt is only reported, without a code. */
function protect(string $action, string $user, array $fields, string $outcome = 'succeeded'): void
{
    $hasFailed = $outcome === 'failed';
    $browser = browserIn($fields);
    $request = ['action' => $action, 'user' => $user, 'ip' => $_SERVER['REMOTE_ADDR']] + $browser;
    if (!$hasFailed) $request['email'] = $fields['email'];
    else $request['outcome'] = $outcome;
    // A browser that hides its fingerprint shows in this way that the code was entered.
    if (!$hasFailed && !isset($browser['fingerprint']) && isset($_SESSION['completed'])) {
        $request['completed_challenge'] = $_SESSION['completed'];
        unset($_SESSION['completed']);
    }
    [$status, $evaluation] = whorl('/v2/device/evaluate', $request);
    $known = 'allowed ' . hash('sha256', json_encode([$action, $user, $browser['fingerprint'] ?? null, $_SERVER['REMOTE_ADDR']]));
    // A browser that was allowed in the last day can log in while the service is down. A busy service is not down.
    $isDown = $status >= 500 && ($evaluation['code'] ?? '') !== 'user_busy';
    if ($isDown && isset($browser['fingerprint']) && (stored()[$known] ?? 0) > time() - 86_400) return;
    if ($status !== 200) answer(503, UNAVAILABLE);
    ['verdict' => $verdict, 'challenge_id' => $id] = $evaluation + ['challenge_id' => null];
    if (!$hasFailed) stored([$known => $verdict === 'allow' ? time() : 0]);
    if ($verdict === 'deny') answer(403, ['detail' => 'Refused.']);
    if ($id === null) return;
    $_SESSION['challenge'] = $id;
    answer(403, ['code' => 'challenge_required']);
}

/** Returns what is known of the browser. What the service would refuse is left out, so that every attempt counts. */
function browserIn(array $fields): array
{
    $lengths = ['fingerprint' => 4096, 'last_fingerprint' => 4096, 'version' => 64, 'proof' => 8192, 'user_agent' => 2048];
    $said = ['user_agent' => $_SERVER['HTTP_USER_AGENT'] ?? ''] + $fields;
    $isReadable = fn (string $value, string $name) =>
        strlen($value) <= ($lengths[$name] ?? 0) && preg_match('/^\P{Cc}+$/Du', $value) === 1;
    return array_filter($said, $isReadable, ARRAY_FILTER_USE_BOTH);
}

function verify(string $challenge, string $code): never
{
    [$status, $result] = whorl("$challenge/verify", ['code' => $code]);
    if ($result['success'] ?? false) {
        [$status, $result] = whorl("$challenge/complete");
        $_SESSION['completed'] = $_SESSION['challenge'];
    }
    answer($status, $result);
}

/** Calls the service. Returns the status and the parsed body. */
function whorl(string $path, array $body = []): array
{
    $headers = ['Authorization: Bearer ' . getenv('WHORL_API_SECRET'), 'Content-Type: application/json'];
    $http = ['method' => 'POST', 'header' => $headers, 'content' => json_encode((object) $body)];
    $context = stream_context_create(['http' => $http + ['timeout' => 5, 'ignore_errors' => true]]);
    $text = @file_get_contents(getenv('WHORL_URL') . $path, false, $context);
    if ($text === false) return [503, UNAVAILABLE];
    return [(int) explode(' ', $http_response_header[0])[1], json_decode($text, true) ?? []];
}

function answer(int $status, array $body): never
{
    http_response_code($status);
    header('Content-Type: application/json');
    exit(json_encode((object) $body));
}

/** Returns the accounts and the allowed browsers, after adding some. An application keeps them in its database. */
function stored(array $added = []): array
{
    $file = sys_get_temp_dir() . '/whorl-example-' . getmypid() . '.json';
    $all = $added + (is_file($file) ? json_decode(file_get_contents($file), true) : []);
    if ($added) file_put_contents($file, json_encode($all), LOCK_EX);
    return $all;
}
