<?php
// Calls the test server with PHP's xmlrpc extension. Usage: php php.php URL. Reads a list of { method, params } from stdin, the
// params tagged by type, and prints what came, tagged likewise, as JSON.

function untag(array $tagged)
{
    [$type, $value] = [array_key_first($tagged), reset($tagged)];
    switch ($type) {
        case 'double':
            return (float) $value;
        case 'date':
        case 'bytes':
            $scalar = $type === 'date' ? str_replace(['-', 'Z'], '', $value) : hex2bin($value);
            xmlrpc_set_type($scalar, $type === 'date' ? 'datetime' : 'base64');
            return $scalar;
        case 'array':
        case 'struct':
            return array_map('untag', $value);
        default:
            return $value;
    }
}

function tag($came): array
{
    if (is_object($came)) {
        if ($came->xmlrpc_type === 'base64') return ['bytes' => bin2hex($came->scalar)];
        return ['date' => preg_replace('/^(\d{4})(\d\d)(\d\d)T(.*)$/', '$1-$2-$3T$4Z', $came->scalar)];
    }
    if (!is_array($came)) {
        $names = ['integer' => 'int', 'NULL' => 'nil'];
        return [$names[gettype($came)] ?? gettype($came) => $came];
    }
    $tagged = array_map('tag', $came);
    return array_is_list($came) ? ['array' => $tagged] : ['struct' => $tagged];
}

function outcome(array $call): array
{
    $options = ['encoding' => 'UTF-8', 'escaping' => 'markup'];
    $body = xmlrpc_encode_request($call['method'], array_map('untag', $call['params']), $options);
    $http = ['method' => 'POST', 'header' => 'Content-Type: text/xml', 'content' => $body, 'ignore_errors' => true];
    $came = xmlrpc_decode(file_get_contents($GLOBALS['argv'][1], false, stream_context_create(['http' => $http])), 'UTF-8');
    if (is_array($came) && xmlrpc_is_fault($came)) return ['fault' => [$came['faultCode'], $came['faultString']]];
    return tag($came);
}

$calls = json_decode(file_get_contents('php://stdin'), true);
echo json_encode(array_map('outcome', $calls), JSON_PRESERVE_ZERO_FRACTION | JSON_THROW_ON_ERROR);
