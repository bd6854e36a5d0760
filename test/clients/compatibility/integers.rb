# Calls servers with Ruby's XMLRPC::Client. Usage: ruby integers.rb URL METHOD ARGUMENT ..., each ARGUMENT `none`, `integer` or `text`.
# Prints the type and the text of each result, or the error, as JSON.
require 'json'
require 'xmlrpc/client'

ARGUMENTS = { 'none' => [], 'integer' => [4_006_381_333_931], 'text' => ['4006381333931'] }.freeze

def outcome(url, method, argument)
  result = XMLRPC::Client.new2(url).call(method, *ARGUMENTS[argument])
  [result.class.name, result.to_s]
rescue XMLRPC::FaultException => e
  ['error', e.faultString]
rescue RuntimeError => e
  ['error', e.message]
end

puts JSON.generate(ARGV.each_slice(3).map { |call| outcome(*call) })
