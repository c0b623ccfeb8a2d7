import { type Attack, refused, userInfo } from './attack.ts';

/** Attacks on the responses that contain the ID token, and on the redirect before them. */
export const answerAttacks: Record<string, Attack> = {
  'an ID token that is no token': refused((d) => {
    d.idToken = 'x.y.z';
  }, /parse JWT Header/),
  'an ID token of five parts': refused((d) => {
    d.idToken = 'a.b.c.d.e';
  }, /JWE decryption is not configured/),
  'no ID token': refused((d) => {
    d.idToken = '';
  }, /"id_token" property must not be empty/),
  'a subject that is named twice': refused((d) => {
    d.writeClaims = (json) => json.replace('{', '{"sub":"somebody",');
  }, /named twice/),
  'claims with a byte order mark': refused((d) => {
    d.writeClaims = (json) => `\ufeff${json}`;
  }, /cannot be read as it is written|JSON|parse/),
  'user info that names its subject twice': refused((d, provider) => {
    userInfo({})(d, provider);
    d.writeUserInfo = (json) => json.replace('{', '{"sub":"somebody",');
  }, /named twice/),
  'user info with a byte order mark': refused((d, provider) => {
    userInfo({})(d, provider);
    d.writeUserInfo = (json) => `\ufeff${json}`;
  }, /cannot be read as it is written/),
  'claims that are a list': refused((d) => {
    d.writeClaims = () => '[]';
  }, /Payload must be a top level object/),
  'no access token': refused((d) => {
    delete d.token['access_token'];
  }, /"access_token" property must be a string/),
  'another kind of token': refused((d) => {
    d.token['token_type'] = 'mac';
  }, /unsupported `token_type`/),
  'an error of the token endpoint': refused((d) => {
    d.tokenStatus = 400;
    d.token = { error: 'invalid_grant' };
  }, /error in the response body/),
  'a redirect that names another issuer': refused((d) => {
    d.callback['iss'] = 'https://evil.example';
  }, /unexpected "iss" .*response parameter/),
  'a redirect without the issuer that was promised': refused((d) => {
    delete d.callback['iss'];
  }, /"iss" .*missing/),
  'a redirect with another state': refused((d) => {
    d.callback['state'] = 's';
  }, /unexpected "state" response parameter/),
  'a redirect with an error': refused((d, { issuer }) => {
    d.callback = { error: 'access_denied', iss: issuer };
  }, /authorization response from the server is an error/),
};
