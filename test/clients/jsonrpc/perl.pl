# JSON-RPC with what Perl brings: HTTP::Tiny and JSON::PP. Reads { calls, batch, word } from stdin, prints how all ended.
use strict;
use warnings;
use HTTP::Tiny;
use JSON::PP;

my $json = JSON::PP->new->utf8->allow_nonref;
my $http = HTTP::Tiny->new;
my $url = $ARGV[0];

sub ask {
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
    my ($answer) = @_;
    return exists $answer->{error} ? { error => $answer->{error} } : { result => $answer->{result} };
}

local $/;
my $asked = $json->decode(<STDIN>);
my @answers = map { outcome(ask(request($_, 1))) } @{ $asked->{calls} };
my $id = 0;
my %batch = map { $_->{id} => outcome($_) } @{ ask([map { request($_, $id++) } @{ $asked->{batch} }]) };
ask(request({ method => 'note', params => [$asked->{word}] }));
print $json->encode({ answers => \@answers, batch => [map { $batch{$_} } 0 .. $id - 1] });
