/** Where an app finds its certificate, in a pod and in a container of Compose. */
export const CERTIFICATE_MOUNT = '/var/run/rpc-tls';

/** Where an app that speaks to Kafka finds the authority of its brokers as ca.crt, if they have one of their own. */
export const BROKER_CA_MOUNT = '/var/run/kafka-ca';

/** The settings of mutual TLS, the same for every app: each has its own certificate at that place. */
export const CERTIFICATE_SETTINGS: Record<string, string> = {
  GRPC_TLS_CERT_FILE: `${CERTIFICATE_MOUNT}/tls.crt`,
  GRPC_TLS_KEY_FILE: `${CERTIFICATE_MOUNT}/tls.key`,
  GRPC_TLS_CA_FILE: `${CERTIFICATE_MOUNT}/ca.crt`,
};
