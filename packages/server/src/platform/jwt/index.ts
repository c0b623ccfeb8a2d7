export { faultOfName, faultOfSubject, faultOfTimes } from './claims.ts';
