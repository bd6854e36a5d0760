# Calls a procedure without a result with Ruby's XMLRPC::Client. Usage: ruby void.rb URL. Prints what came, as JSON.
require 'json'
require 'xmlrpc/client'

begin
  puts JSON.generate('result' => XMLRPC::Client.new2(ARGV[0]).call('note', 'ruby'))
rescue RuntimeError => e
  puts JSON.generate('error' => e.message)
end
