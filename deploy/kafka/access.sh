#!/bin/sh
# Written by `npm run manifests` out of topics.json beside it; change it there.
# Makes the topics, a user for each service and what it may do, as an administrator of the brokers; may run again at any time.
#   KAFKA_BOOTSTRAP      host:port of a broker
#   KAFKA_ADMIN_CONFIG   properties by which the administrator comes; without it in plain text
#   KAFKA_TOPIC_PREFIX, KAFKA_TOPIC_PARTITIONS (12), KAFKA_REPLICATION_FACTOR (1)   as the services have them
#   FINANCE_KAFKA_PASSWORD, IDENTITY_KAFKA_PASSWORD, NOTIFIER_KAFKA_PASSWORD, ORDERS_SAGA_KAFKA_PASSWORD, SCENT_COMMERCE_KAFKA_PASSWORD
set -eu
tools=${KAFKA_TOOLS:-/opt/kafka/bin}
prefix=${KAFKA_TOPIC_PREFIX:-}
copies=${KAFKA_REPLICATION_FACTOR:-1}
run() {
  tool=$1
  shift
  "$tools/$tool" --bootstrap-server "$KAFKA_BOOTSTRAP" ${KAFKA_ADMIN_CONFIG:+--command-config "$KAFKA_ADMIN_CONFIG"} "$@"
}
topic() {
  run kafka-topics.sh --create --if-not-exists --topic "$prefix$1" \
    --partitions "${KAFKA_TOPIC_PARTITIONS:-12}" --replication-factor "$copies" \
    --config cleanup.policy=delete --config retention.ms=604800000 --config message.timestamp.type=LogAppendTime \
    --config min.insync.replicas=$([ "$copies" -ge 3 ] && echo 2 || echo 1) \
    --config compression.type=producer --config max.message.bytes=4194304
}
# By a file, for arguments are seen by whoever lists processes.
user() {
  printf 'SCRAM-SHA-512=password=%s\n' "$2" |
    run kafka-configs.sh --alter --entity-type users --entity-name "$1" --add-config-file /dev/stdin
}
allow() {
  name=$1
  shift
  run kafka-acls.sh --add --allow-principal "User:$name" "$@"
}
topic reseller.identity.partner.v1
topic reseller.orders.order.v1
topic reseller.scent.registration.v1
topic reseller.finance.wallet.v1
topic reseller.finance.rate.v1
user finance "$FINANCE_KAFKA_PASSWORD"
allow finance --operation Write --operation Describe --topic "${prefix}reseller.finance.wallet.v1" --topic "${prefix}reseller.finance.rate.v1"
allow finance --operation Read --operation Describe --topic "${prefix}reseller.identity.partner.v1"
allow finance --operation Read --group "${prefix}finance.partner-profile"
user identity "$IDENTITY_KAFKA_PASSWORD"
allow identity --operation Write --operation Describe --topic "${prefix}reseller.identity.partner.v1"
user notifier "$NOTIFIER_KAFKA_PASSWORD"
allow notifier --operation Read --operation Describe --topic "${prefix}reseller.identity.partner.v1" --topic "${prefix}reseller.orders.order.v1" --topic "${prefix}reseller.scent.registration.v1"
allow notifier --operation Read --group "${prefix}notifier.partners" --group "${prefix}notifier.webhooks"
user orders-saga "$ORDERS_SAGA_KAFKA_PASSWORD"
allow orders-saga --operation Write --operation Describe --topic "${prefix}reseller.orders.order.v1"
user scent-commerce "$SCENT_COMMERCE_KAFKA_PASSWORD"
allow scent-commerce --operation Write --operation Describe --topic "${prefix}reseller.scent.registration.v1"
allow scent-commerce --operation Read --operation Describe --topic "${prefix}reseller.identity.partner.v1"
allow scent-commerce --operation Read --group "${prefix}scent-commerce.partner-profile"
