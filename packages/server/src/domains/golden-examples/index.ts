export { proposeCandidate } from './candidate-store.ts';
export { createCandidatesService } from './candidates.ts';
export { goldenRoutes } from './routes.ts';
export { createGoldenService } from './service.ts';
export { checkedExamples, exampleFor, soundExamples } from './store.ts';
