/** For tests of other domains: the real provider. */
export {
  passThrough,
  startTestProvider,
  type TestProvider,
  testClient,
  testProgram,
} from './testing/provider.ts';
