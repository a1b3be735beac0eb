require 'base64'
require 'openssl'

def verify_webhook(body, headers, secrets)
  timestamp = headers['webhook-timestamp']
  return false if (Time.now.to_i - Integer(timestamp, 10)).abs > 300

  content = "#{headers['webhook-id']}.#{timestamp}.#{body}"
  given = headers['webhook-signature'].split
  secrets.any? do |secret|
    key = Base64.strict_decode64(secret.delete_prefix('whsec_'))
    expected = "v1,#{Base64.strict_encode64(OpenSSL::HMAC.digest('SHA256', key, content))}"
    given.any? { |each| each.bytesize == expected.bytesize && OpenSSL.fixed_length_secure_compare(expected, each) }
  end
end
