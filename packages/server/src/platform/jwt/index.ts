export { faultOfName, faultOfSubject, faultOfText, faultOfTimes } from './claims.ts';
export { faultOfJson, faultOfTokenJson, hasDuplicateMembers } from './strict-json.ts';
