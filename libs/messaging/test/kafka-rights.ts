import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  AclOperationTypes,
  AclPermissionTypes,
  AclResourceTypes,
  ResourcePatternTypes,
  type AclEntry,
} from 'kafkajs';
import { parseAllDocuments } from 'yaml';

const folder = path.resolve(__dirname, '../../../deploy/kafka');

/** A topic as deploy/kafka/topics.json declares it. */
export interface Topic {
  topic: string;
  writtenBy: string;
  readBy: string[];
}

/** The topics of the platform. */
export const declaredTopics = JSON.parse(readFileSync(path.join(folder, 'topics.json'), 'utf8')) as Topic[];

/** Whose group it is. */
export const appOf = (group: string): string => group.slice(0, group.indexOf('.'));

/** The services that come to the brokers. */
export const SERVICES = ['finance', 'identity', 'notifier', 'orders-saga', 'scent-commerce'];

interface KafkaUser {
  metadata: { name: string };
  spec: {
    authorization: { acls: { resource: { type: 'topic' | 'group'; name: string }; operations: string[] }[] };
  };
}

const RESOURCES = { topic: AclResourceTypes.TOPIC, group: AclResourceTypes.GROUP };
const OPERATIONS: Readonly<Record<string, AclOperationTypes>> = {
  Read: AclOperationTypes.READ,
  Write: AclOperationTypes.WRITE,
  Describe: AclOperationTypes.DESCRIBE,
};

/** What deploy/kafka/users.yaml allows, as a broker takes it. */
export function declaredRights(): AclEntry[] {
  const users = parseAllDocuments(readFileSync(path.join(folder, 'users.yaml'), 'utf8')).map(
    (document) => document.toJS() as KafkaUser,
  );
  return users.flatMap(({ metadata, spec }) =>
    spec.authorization.acls.flatMap(({ resource, operations }) =>
      operations.map((operation) => ({
        principal: `User:${metadata.name}`,
        host: '*',
        resourceType: RESOURCES[resource.type],
        resourceName: resource.name,
        resourcePatternType: ResourcePatternTypes.LITERAL,
        operation: OPERATIONS[operation] ?? AclOperationTypes.UNKNOWN,
        permissionType: AclPermissionTypes.ALLOW,
      })),
    ),
  );
}
