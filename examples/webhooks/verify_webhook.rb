require 'base64'
require 'openssl'

def verify_webhook(body, headers, secrets)
  timestamp = headers['webhook-timestamp'].to_s
  return false unless timestamp.match?(/\A[0-9]{1,12}\z/) && (Time.now.to_i - timestamp.to_i).abs <= 300

  content = "#{headers['webhook-id']}.#{timestamp}.#{body}"
  given = headers['webhook-signature'].to_s.split
  secrets.any? do |secret|
    key = Base64.strict_decode64(secret.delete_prefix('whsec_'))
    expected = "v1,#{Base64.strict_encode64(OpenSSL::HMAC.digest('SHA256', key, content))}"
    given.any? { |each| each.bytesize == expected.bytesize && OpenSSL.fixed_length_secure_compare(expected, each) }
  end
end
