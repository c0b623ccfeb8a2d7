export { CleanedEngineError, cleanEngineError, type FailedStatement } from './cleaned.ts';
export { defectWithoutWords, withoutDriverWords } from './defect.ts';
