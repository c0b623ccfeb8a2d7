import { expect, test } from 'vitest';
import { definitionKinds } from './definition-kinds.ts';
import type { Endpoint } from './endpoint.ts';
import * as contract from './index.ts';

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'operationId' in value && 'access' in value;
const endpoints = (Object.values(contract) as readonly unknown[]).filter(isEndpoint);

/** Paths of records that files define, and of their parts. */
const recordPaths =
  /^\/svc\/api\/((data-sources|recipients|projects|queries|query-versions|subscriptions|data-quality\/contracts|migrations\/jobs)\/|admin-settings|mcp\/settings|mcp\/projects)/;

/** Operations under these paths that change no file content, each with the reason. */
const leaveFilesAlone: Readonly<Record<string, readonly string[]>> = {
  'reads, runs, tries or compares': [
    'testDataSource',
    'testConnection',
    'refreshDataSourceMetadata',
    'testLlm',
    'previewTemplate',
    'previewDataFile',
    'previewQuery',
    'previewQueryStep',
    'previewDraft',
    'stopRun',
    'exportQuery',
    'previewQueryVersion',
    'testRunSubscription',
    'previewSchedule',
    'previewMessages',
    'evaluateDataContract',
    'checkContractRules',
    'validateMigrationJob',
    'runMigrationJob',
    'explainDraft',
    'preflightDraft',
    'checkRelationship',
    'verifyRelationship',
    'discoverRelationships',
    'scanRepository',
  ],
  'makes a record of its own': ['importDataContracts', 'uploadDataFile'],
  'is no part of any file': [
    'setMigrationWrites',
    'setRetryPolicy',
    'setNumberFormat',
    'createSigningSecret',
    'removePreviousSigningSecret',

    'removeSigningSecrets',
    'addProjectMember',
    'changeProjectMember',
    'removeProjectMember',
    'lockQuery',
    'setQueryFolder',
    'setQueryMcpTool',
    'setDataContractOwner',
    'snoozeDataContract',
    'reactivateSubscription',
    'setSubscriptionOwner',
    'pauseSubscription',
    'resumeSubscription',
    'snoozeSubscription',
    'resetRowMemory',
    'setAnomalyVerdict',
    'resetAlert',
    'acknowledgeAlert',
    'withdrawAcknowledgement',
    'acknowledgeContractAlert',
    'withdrawContractAcknowledgement',
    'createRelationship',
    'changeRelationship',
    'deleteRelationship',
    'acceptRelationships',
    'addRepository',
    'changeRepository',
    'removeRepository',
    'setRepositoryToken',
    'writeDocumentation',
    'instructDocumentation',
    'generateDocumentation',
    'cancelDocumentation',
    'dismissDocumentationProposal',
    'withdrawQueryVersion',
    'uploadImportedDocument',
    'replaceImportedDocument',
    'deleteImportedDocument',
    'importDocumentsNow',
  ],
  'asks each record for itself': ['changeSubscriptions'],
};

test('every change of a record that files can define declares its edits or is a listed exception', () => {
  const silent = endpoints
    .filter(({ method, path, edits }) => method !== 'GET' && recordPaths.test(path) && edits === undefined)
    .map(({ operationId }) => operationId);
  expect(silent.toSorted()).toEqual(Object.values(leaveFilesAlone).flat().toSorted());
});

test('every kind of definition has operations that edit it, and these list the problem managed-from-code', () => {
  const editing = endpoints.filter(({ edits }) => edits !== undefined);
  expect(new Set(editing.map(({ edits }) => edits))).toEqual(new Set(definitionKinds));
  for (const endpoint of editing)
    expect(contract.problemsOf(endpoint), endpoint.operationId).toContain('managed-from-code');
});
