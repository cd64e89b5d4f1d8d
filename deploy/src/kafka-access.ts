import type { AppName } from './app-names.ts';

/** A topic as deploy/kafka/topics.json declares it; a reader is the name of its group, which begins with the app's. */
export interface Topic {
  topic: string;
  writtenBy: AppName;
  readBy: string[];
}

/** What one app may do at the brokers, as the user of its name; nothing else. */
export interface KafkaAccess {
  user: AppName;
  writes: string[];
  reads: string[];
  groups: string[];
}

const unique = (names: string[]): string[] => [...new Set(names)].sort();
const appOf = (group: string): string => group.slice(0, group.indexOf('.'));

/** The rights of each app that writes or reads a topic, out of the declaration. */
export function accessOf(topics: readonly Topic[]): KafkaAccess[] {
  const users = unique(topics.flatMap(({ writtenBy, readBy }) => [writtenBy, ...readBy.map(appOf)]));
  return users.map((user) => {
    const groups = (topic: Topic): string[] => topic.readBy.filter((group) => appOf(group) === user);
    return {
      user: user as AppName,
      writes: topics.filter(({ writtenBy }) => writtenBy === user).map(({ topic }) => topic),
      reads: topics.filter((topic) => groups(topic).length > 0).map(({ topic }) => topic),
      groups: unique(topics.flatMap(groups)),
    };
  });
}

/** A KafkaUser of Strimzi for an app. */
export function kafkaUser({ user, writes, reads, groups }: KafkaAccess): object {
  const on = (type: 'topic' | 'group', operations: string[]) => (name: string) => ({
    resource: { type, name, patternType: 'literal' },
    operations,
  });
  return {
    apiVersion: 'kafka.strimzi.io/v1beta2',
    kind: 'KafkaUser',
    metadata: { name: user, labels: { 'strimzi.io/cluster': 'kafka' } },
    spec: {
      authentication: { type: 'scram-sha-512' },
      authorization: {
        type: 'simple',
        acls: [
          ...writes.map(on('topic', ['Write', 'Describe'])),
          ...reads.map(on('topic', ['Read', 'Describe'])),
          ...groups.map(on('group', ['Read'])),
        ],
      },
    },
  };
}

/** `ORDERS_SAGA_KAFKA_PASSWORD` of `orders-saga`. */
export const kafkaPasswordVariable = (app: string): string =>
  `${app.toUpperCase().replaceAll('-', '_')}_KAFKA_PASSWORD`;

const named = (option: string, names: string[]): string =>
  names.map((name) => `--${option} "\${prefix}${name}"`).join(' ');

function commandsFor({ user, writes, reads, groups }: KafkaAccess): string[] {
  const allow = (operations: string[], resources: string): string =>
    `allow ${user} ${operations.map((one) => `--operation ${one}`).join(' ')} ${resources}`;
  return [
    `user ${user} "$${kafkaPasswordVariable(user)}"`,
    ...(writes.length > 0 ? [allow(['Write', 'Describe'], named('topic', writes))] : []),
    ...(reads.length > 0 ? [allow(['Read', 'Describe'], named('topic', reads))] : []),
    ...(groups.length > 0 ? [allow(['Read'], named('group', groups))] : []),
  ];
}

/** A script that makes the topics, the users and their rights with the commands that come with Kafka; it may run again. */
export function accessScript(topics: readonly Topic[]): string {
  const users = accessOf(topics);
  return `#!/bin/sh
# Written by \`npm run manifests\` out of topics.json beside it; change it there.
# Makes the topics, a user for each service and what it may do, as an administrator of the brokers; may run again at any time.
#   KAFKA_BOOTSTRAP      host:port of a broker
#   KAFKA_ADMIN_CONFIG   properties by which the administrator comes; without it in plain text
#   KAFKA_TOPIC_PREFIX, KAFKA_TOPIC_PARTITIONS (12), KAFKA_REPLICATION_FACTOR (1)   as the services have them
#   ${users.map(({ user }) => kafkaPasswordVariable(user)).join(', ')}
set -eu
tools=\${KAFKA_TOOLS:-/opt/kafka/bin}
prefix=\${KAFKA_TOPIC_PREFIX:-}
copies=\${KAFKA_REPLICATION_FACTOR:-1}
run() {
  tool=$1
  shift
  "$tools/$tool" --bootstrap-server "$KAFKA_BOOTSTRAP" \${KAFKA_ADMIN_CONFIG:+--command-config "$KAFKA_ADMIN_CONFIG"} "$@"
}
topic() {
  run kafka-topics.sh --create --if-not-exists --topic "$prefix$1" \\
    --partitions "\${KAFKA_TOPIC_PARTITIONS:-12}" --replication-factor "$copies" \\
    --config cleanup.policy=delete --config retention.ms=604800000 --config message.timestamp.type=LogAppendTime \\
    --config min.insync.replicas=$([ "$copies" -ge 3 ] && echo 2 || echo 1) \\
    --config compression.type=producer --config max.message.bytes=4194304
}
# By a file, for arguments are seen by whoever lists processes.
user() {
  printf 'SCRAM-SHA-512=password=%s\\n' "$2" |
    run kafka-configs.sh --alter --entity-type users --entity-name "$1" --add-config-file /dev/stdin
}
allow() {
  name=$1
  shift
  run kafka-acls.sh --add --allow-principal "User:$name" "$@"
}
${topics.map(({ topic }) => `topic ${topic}`).join('\n')}
${users.flatMap(commandsFor).join('\n')}
`;
}
