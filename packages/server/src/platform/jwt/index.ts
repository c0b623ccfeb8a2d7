export { faultOfName, faultOfSubject, faultOfText, faultOfTimes } from './claims.ts';
