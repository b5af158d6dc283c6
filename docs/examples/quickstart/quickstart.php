<?php
// Buys airtime, repeats an order whose answer was lost, follows a pending one. Needs PHP 8.1 or
// later, and MANILLA_URL, MANILLA_IDENTITY, MANILLA_KEY, MANILLA_CA (`ca.pem` of the data folder).
declare(strict_types=1);

const ANSWER_WITHIN = 30; // seconds: the gateway waits up to 20 for the outcome of a payment
const GIVE_UP_AFTER = 120;
const BUY = '/payment/airtime';
const REPORT = '/payment/airtime/transaction?mrcReference=';

set_error_handler(fn (int $level, string $text) => throw new ErrorException($text), E_WARNING);
set_exception_handler(function (Throwable $error): never {
    fwrite(STDERR, "error: {$error->getMessage()}\n");
    exit(1);
});

/** Sends one request, a POST if there is an order: status, Retry-After and content answered. */
function send(string $path, ?array $order, ?string $key, int $timeout): array
{
    $login = base64_encode(getenv('MANILLA_IDENTITY') . ':' . getenv('MANILLA_KEY'));
    $sent = ["Authorization: Basic $login", 'Content-Type: application/json'];
    $http = ['timeout' => $timeout, 'ignore_errors' => true, 'follow_location' => 0];
    $http += ['header' => $key ? [...$sent, "Idempotency-Key: $key"] : $sent];
    $http += $order ? ['method' => 'POST', 'content' => json_encode($order)] : [];
    $options = ['http' => $http, 'ssl' => ['cafile' => getenv('MANILLA_CA')]];
    $stream = fopen(getenv('MANILLA_URL') . $path, 'r', false, stream_context_create($options));
    $head = implode("\n", stream_get_meta_data($stream)['wrapper_data']);
    $later = preg_match('/^retry-after: *(\d+)/mi', $head, $found) ? (int) $found[1] : null;
    $content = json_decode(stream_get_contents($stream), true, flags: JSON_THROW_ON_ERROR);
    return [(int) explode(' ', $head)[1], $later, $content];
}

/**
 * Sends a request until it is answered. A lost answer or a 5xx does not say that nothing was
 * bought: the same order is sent again under the same key, never one with a new reference.
 */
function ask(string $path, ?array $order = null, ?string $key = null,
    int $timeout = ANSWER_WITHIN, int $limit = GIVE_UP_AFTER, array $expected = [200]): array
{
    $end = time() + $limit;
    for ($pause = 1; ; $pause = min(2 * $pause, 8)) {
        try {
            [$status, $later, $answer] = send($path, $order, $key, $timeout);
            // A 409 with Retry-After: the first request under the key is still in progress.
            if ($status < 500 && !(in_array($status, [409, 429]) && $later)) {
                break;
            }
            $problem = "$path answered $status";
        } catch (ErrorException | JsonException $lost) {
            [$later, $problem] = [null, "$path did not answer ({$lost->getMessage()})"];
        }
        $wait = $later ?? $pause;
        if (time() + $wait > $end) {
            $unknown = $order ? "; only the report of $order[mrcReference] has its outcome" : '';
            throw new Exception("$problem$unknown");
        }
        echo "repeat: $problem, the same request is sent again in $wait s\n";
        sleep($wait);
        $timeout = ANSWER_WITHIN;
    }
    $reasons = ["$status $answer[message]", ...violations($answer)];
    return in_array($status, $expected) ? $answer : throw new Exception(implode("\n  ", $reasons));
}

function violations(array $answer): array
{
    $all = [...$answer['errors']['request'] ?? [], ...$answer['errors']['system'] ?? []];
    foreach ($answer['errors']['params'] ?? [] as $name => $sentences) {
        array_push($all, ...array_map(fn ($sentence) => "$name: $sentence", $sentences));
    }
    return $all;
}

/** An order. Store it before you send it, so that after a crash the same one is sent again. */
function airtime(string $number): array
{
    $order = ['mrcReference' => 'order-' . bin2hex(random_bytes(16)), 'countryCode' => 566];
    return $order + ['number' => $number, 'amount' => '100.00', 'billing' => 'prepaid'];
}

/** Buys, and reads the report until it is final: Pending is not failed, and not bought anew. */
function buy(array $order, int $timeout = ANSWER_WITHIN): array
{
    [$key, $pause, $end] = [$order['mrcReference'], 1, time() + GIVE_UP_AFTER];
    $bought = ask(BUY, $order, $key, $timeout, expected: [200, 202]);
    while ($bought['txnStatus'] === 'Pending' && time() < $end) {
        echo "pending: $key, its report is read in $pause s\n";
        sleep($pause);
        [$bought, $pause] = [ask(REPORT . $key), min(2 * $pause, 8)];
    } // still Pending, perhaps: a webhook has the rest
    return $bought['txnStatus'] === 'Successful' ? $bought
        : throw new Exception("$key is $bought[txnStatus]");
}

// Not repeated: it shows at once whether the address, the certificate and the key are right.
ask('/account/balance', limit: 0);

$bought = buy(airtime('2348031234567'));
echo "bought: $bought[mrcReference] for $bought[price] $bought[currency]\n";
echo 'report: it is ' . ask(REPORT . $bought['mrcReference'])['txnStatus'] . "\n";

// This answer takes some seconds and is waited for one second only, as if it were lost.
$order = airtime('2348031230002');
[$first, $again] = [buy($order, timeout: 1), buy($order)];
$statement = ask("/account/statement?mrcReference=$order[mrcReference]")['statements'];
$twice = $first['txnReference'] !== $again['txnReference'] || count($statement) !== 1;
if ($twice) {
    throw new Exception('the order was bought twice');
}
echo "repeated: transaction $first[txnReference] both times, charged once\n";
$message = ask(BUY, $order, expected: [422])['message'];
echo "repeated: $message (without an Idempotency-Key)\n";

echo 'final: ' . buy(airtime('2348031230007'))['mrcReference'] . " is Successful\n";

$mistaken = ['amount' => '1e5', 'billing' => 'monthly'] + airtime('2348031234567');
$refused = ask(BUY, $mistaken, $mistaken['mrcReference'], expected: [400]);
echo 'refused: ' . implode("\nrefused: ", violations($refused)) . "\n";

echo 'balance: ' . ask('/account/balance')['accBalance'] . " NGN\n";
