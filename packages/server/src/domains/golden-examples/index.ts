export { proposeCandidate } from './candidate-store.ts';
export { createCandidatesService } from './candidates.ts';
export { goldenRoutes } from './routes.ts';
export { type CheckStatement, createGoldenService } from './service.ts';
export { checkedExamples, exampleFor, soundExamples } from './store.ts';
