/** What kafkajs and brokers say, and the setting that it is about. */
const REFUSALS: readonly (readonly [said: RegExp, meaning: string])[] = [
  [/SASL .*authentication failed/i, 'Kafka does not know KAFKA_SASL_USERNAME with KAFKA_SASL_PASSWORD'],
  [/requested SASL mechanism/, 'Kafka does not take KAFKA_SASL_MECHANISM as it is'],
  [/not authorized/i, 'Kafka does not let the user of KAFKA_SASL_USERNAME do this'],
  [
    /certificate/i,
    'Kafka and this service do not know each other by KAFKA_CA_FILE, KAFKA_CERT_FILE and KAFKA_KEY_FILE',
  ],
  [/secure TLS connection/, 'Kafka at EVENT_BUS_URL does not speak TLS'],
  [
    /Closed connection/,
    'Kafka at EVENT_BUS_URL closes the connection, as where KAFKA_SASL_MECHANISM or kafka+ssl:// is missing',
  ],
  [/Connection (error|timeout)/, 'Kafka at EVENT_BUS_URL cannot be reached'],
];

/** The error with the setting before Kafka's own words, for whoever reads the log; others as they are. */
export function namingTheSetting(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const meaning = REFUSALS.find(([said]) => said.test(error.message))?.[1];
  return meaning === undefined ? error : new Error(`${meaning}: ${error.message}`, { cause: error });
}
