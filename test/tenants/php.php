<?php
// Calls the application with PHP's xmlrpc extension, and prints what it gets. Usage: php php.php URL KEY

[, $url, $key] = $argv;

function call(string $method, array $params, ?string $key)
{
    $headers = ['Content-Type: text/xml', ...($key === null ? [] : ["X-Api-Key: $key"])];
    $http = ['method' => 'POST', 'header' => $headers, 'content' => xmlrpc_encode_request($method, $params)];
    $result = xmlrpc_decode(file_get_contents($GLOBALS['url'], false, stream_context_create(['http' => $http])));
    return is_array($result) && xmlrpc_is_fault($result) ? $result['faultCode'] : $result;
}

$written = call('invoices.write', ['PHP', 300], $key);
$own = fn() => array_values(array_filter(call('invoices.list', [], $key), fn($each) => $each['customer'] === 'PHP'));
echo json_encode([
    'anonymous' => [call('version', [], null), call('invoices.list', [], null)],
    'own' => $own() == [$written],
    'rolled back' => call('invoices.pay', [[$written['number'], 999999]], $key),
    'paid' => $own()[0]['paid'],
    'role' => call('invoices.remove', [$written['number']], $key),
]);
