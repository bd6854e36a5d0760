<?php
// Calls servers with PHP's xmlrpc extension. Usage: php integers.php URL METHOD ARGUMENT ..., each ARGUMENT `none`, `integer` or `text`.
// Prints the type and the text of each result, or the error, as JSON.

function outcome(string $url, string $method, string $argument): array
{
    $arguments = ['none' => [], 'integer' => [4006381333931], 'text' => ['4006381333931']][$argument];
    $body = xmlrpc_encode_request($method, $arguments, ['encoding' => 'UTF-8']);
    $http = ['method' => 'POST', 'header' => 'Content-Type: text/xml', 'content' => $body];
    $result = xmlrpc_decode(file_get_contents($url, false, stream_context_create(['http' => $http])), 'UTF-8');
    if (is_array($result) && xmlrpc_is_fault($result)) return ['error', $result['faultString']];
    return [gettype($result), is_float($result) ? sprintf('%.1f', $result) : (string) $result];
}

$outcomes = array_map(fn ($call) => outcome(...$call), array_chunk(array_slice($argv, 1), 3));
echo json_encode($outcomes, JSON_THROW_ON_ERROR);
