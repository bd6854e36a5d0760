#!/usr/bin/perl
# Calls a server with Perl's JSON::RPC::Legacy::Client. Usage: perl legacy-json.pl URL VERSION. Prints what came, as JSON.
use strict;
use warnings;
use JSON::PP;
use JSON::RPC::Legacy::Client;

my ($url, $version) = @ARGV;
my $client = JSON::RPC::Legacy::Client->new;
$client->version($version);

sub report {
    my $response = $client->call($url, {@_}) or return { status => $client->status_line };
    my $error = $response->content->{error};
    return { error => $error } if !$response->is_success;
    return { result => $response->result, version => $response->content->{version} };
}

print JSON::PP->new->canonical->encode([
    report(method => 'add', params => [1, 2]),
    report(method => 'fail', params => []),
    report(method => 'note', params => ["from $version"], id => undef),
]);
