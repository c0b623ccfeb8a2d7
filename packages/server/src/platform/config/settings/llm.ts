import { boolean, integer, list, money, secret, text } from '../setting.ts';

/** Connection of the language model until an administrator sets one at run time, and its allowed hosts. */
export const llmSettings = {
  'Svc:LLM:Enabled': boolean(
    'Whether a language model may be asked. Off: nothing is asked, whatever is set at run time, and what needs a model says so.',
    true,
  ),
  'Svc:LLM:KeepsContent': boolean(
    'Whether what is sent to the language model and what it answers is kept, encrypted, for seven days. Admins read it, and each reading is audited.',
    false,
  ),
  'Svc:LLM:Provider': text(
    'Provider of the language model: OpenAi, OpenAiCompatible, Anthropic, AzureOpenAi or Bedrock. Without one there is no model.',
    { oneOf: ['OpenAi', 'OpenAiCompatible', 'Anthropic', 'AzureOpenAi', 'Bedrock'] },
  ),
  'Svc:LLM:Api': text('Protocol that OpenAI is asked in: Responses or ChatCompletions.', {
    default: 'Responses',
    oneOf: ['Responses', 'ChatCompletions'],
  }),
  'Svc:LLM:Endpoint': text(
    "Address of the provider; needed for OpenAiCompatible and AzureOpenAi, else the provider's own.",
  ),
  'Svc:LLM:Region': text('AWS region of Bedrock, such as eu-central-1.'),
  'Svc:LLM:Model': text('Model, as its provider names it; for Azure OpenAI the deployment.'),
  'Svc:LLM:FastModel': text('Cheaper model for work in bulk; without one the model does it.'),
  'Svc:LLM:ApiKey': secret('Key of the provider.'),
  'Svc:LLM:AwsAccessKeyId': secret('Access key id for Bedrock, where no key is used.'),
  'Svc:LLM:AwsSecretAccessKey': secret('Secret access key for Bedrock.'),
  'Svc:LLM:AwsSessionToken': secret('Session token for Bedrock.'),
  'Svc:LLM:InputPrice': money(
    'Price of a million tokens that are sent to the model. Without prices no costs are counted.',
  ),
  'Svc:LLM:OutputPrice': money('Price of a million tokens that the model answers.'),
  'Svc:LLM:FastInputPrice': money(
    'Price of a million tokens that are sent to the cheaper model; without one, as the model.',
  ),
  'Svc:LLM:FastOutputPrice': money('Price of a million tokens that the cheaper model answers.'),
  'Svc:LLM:MonthlyBudget': money(
    'What all calls may cost in a month of UTC, in the money of the prices. Without one there is no limit.',
  ),
  'Svc:LLM:MonthlyTokens': integer('Tokens of all calls in a month of UTC. Without one there is no limit.', {
    min: 0,
    max: 1_000_000_000_000,
  }),
  'Svc:LLM:DailyTokensPerUser': integer('Tokens of one user on a day of UTC.', {
    default: 500_000,
    min: 0,
    max: 1_000_000_000,
  }),
  'Svc:LLM:CallsPerMinute': integer('Calls of all processes in a minute.', {
    default: 60,
    min: 1,
    max: 100_000,
  }),
  'Svc:LLM:TokensPerMinute': integer('Tokens of all processes in a minute.', {
    default: 200_000,
    min: 1,
    max: 1_000_000_000,
  }),
  'Svc:LLM:MaxConcurrentCalls': integer('Calls of all processes at once.', {
    default: 8,
    min: 1,
    max: 1_000,
  }),
  'Svc:LLM:CallTimeoutSeconds': integer('Seconds for a call with all its attempts.', {
    default: 60,
    min: 1,
    max: 600,
  }),
  'Svc:LLM:MaxPromptBytes': integer('Bytes of instructions and data that are sent at once.', {
    default: 64_000,
    min: 1_000,
    max: 1_000_000,
  }),
  'Svc:LLM:TrustedHosts': list(
    'Hosts of language models that may be private and plain HTTP, such as llm.corp.example or *.corp.example.',
  ),
} as const;
