# JSON-RPC with what Perl brings: HTTP::Tiny and JSON::PP. Reads { calls, batch, word } from stdin, prints how all ended.
use strict;
use warnings;
use HTTP::Tiny;
use JSON::PP;

my $json = JSON::PP->new->utf8->allow_nonref;
my $http = HTTP::Tiny->new;
my $url = $ARGV[0];

sub post {
    my ($body) = @_;
    my $headers = { 'Content-Type' => 'application/json' };
    my $response = $http->post($url, { headers => $headers, content => $json->encode($body) });
    die "$response->{status} $response->{content}" unless $response->{success};
    return $response->{status} == 204 ? undef : $json->decode($response->{content});
}

sub request {
    my ($call, @id) = @_;
    return { jsonrpc => '2.0', method => $call->{method}, params => $call->{params}, @id ? (id => $id[0]) : () };
}

sub outcome {
    my ($response) = @_;
    return exists $response->{error} ? { error => $response->{error} } : { result => $response->{result} };
}

local $/;
my $input = $json->decode(<STDIN>);
my @responses = map { outcome(post(request($_, 1))) } @{ $input->{calls} };
my $id = 0;
my %batch = map { $_->{id} => outcome($_) } @{ post([map { request($_, $id++) } @{ $input->{batch} }]) };
post(request({ method => 'note', params => [$input->{word}] }));
print $json->encode({ responses => \@responses, batch => [map { $batch{$_} } 0 .. $id - 1] });
