<?php
// Calls a server with PHP's streams, which send the type of a form unless told otherwise. Usage: php form.php URL.
$xml = xmlrpc_encode_request('note', ['php']);
$http = ['method' => 'POST', 'content' => $xml, 'ignore_errors' => true];
$came = @file_get_contents($argv[1], false, stream_context_create(['http' => $http]));
echo json_encode(['status' => explode(' ', $http_response_header[0])[1], 'result' => xmlrpc_decode($came)]);
