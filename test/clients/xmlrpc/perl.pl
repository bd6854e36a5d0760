# Calls the test server with RPC::XML. Usage: perl perl.pl URL. Reads a list of { method, params } from stdin, the
# params tagged by type, and prints what came, tagged likewise, as JSON.
use strict;
use warnings;
use JSON::PP;
use RPC::XML;
use RPC::XML::Client;

$RPC::XML::ALLOW_NIL = 1;
$RPC::XML::ENCODING = 'UTF-8';
my $json = JSON::PP->new->utf8;
my $client = RPC::XML::Client->new($ARGV[0]);

sub untag {
    my ($tagged) = @_;
    my ($type, $value) = %$tagged;
    return RPC::XML::int->new("$value") if $type eq 'int';
    return RPC::XML::double->new("$value") if $type eq 'double';
    return RPC::XML::boolean->new($value ? 1 : 0) if $type eq 'boolean';
    return RPC::XML::datetime_iso8601->new($value) if $type eq 'date';
    return RPC::XML::base64->new(pack('H*', $value)) // die "$RPC::XML::ERROR\n" if $type eq 'bytes';
    return RPC::XML::nil->new if $type eq 'nil';
    return RPC::XML::array->new(from => [map { untag($_) } @$value]) if $type eq 'array';
    return RPC::XML::struct->new({ map { ($_ => untag($value->{$_})) } keys %$value }) if $type eq 'struct';
    return RPC::XML::string->new($value);
}

sub tag {
    my ($came) = @_;
    my $type = $came->type;
    return { int => 0 + $came->value } if $type eq 'int' || $type eq 'i4';
    return { double => 0 + $came->value } if $type eq 'double';
    return { boolean => $came->value ? JSON::PP::true : JSON::PP::false } if $type eq 'boolean';
    return { bytes => unpack('H*', $came->value) } if $type eq 'base64';
    return { nil => undef } if $type eq 'nil';
    return { array => [map { tag($_) } @$came] } if $type eq 'array';
    return { struct => { map { ($_ => tag($came->{$_})) } keys %$came } } if $type eq 'struct';
    return { date => $came->value =~ s/^(\d{4})(\d\d)(\d\d)T(.*)$/$1-$2-$3T$4Z/r } if $type eq 'dateTime.iso8601';
    return { $type => $came->value };
}

sub call {
    my ($call) = @_;
    my $response = eval { $client->send_request($call->{method}, map { untag($_) } @{ $call->{params} }) };
    return { unsupported => ($@ || $response) =~ s/\n\z//r } unless ref $response;
    return { fault => [0 + $response->code, $response->string] } if $response->is_fault;
    return tag($response);
}

local $/;
print $json->encode([map { call($_) } @{ $json->decode(<STDIN>) }]);
