{{- define "svc.name" -}}
{{- if contains "svc" .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-svc" (.Release.Name | trunc 36 | trimSuffix "-") }}{{ end }}
{{- end }}

{{- define "svc.selector" -}}
app.kubernetes.io/name: svc
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "svc.labels" -}}
{{ include "svc.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "svc.serviceAccount" -}}
{{- if .Values.serviceAccount.create }}{{ .Values.serviceAccount.name | default (include "svc.name" .) }}{{ else }}{{ .Values.serviceAccount.name | default "default" }}{{ end }}
{{- end }}

{{- define "svc.image" -}}
{{- if .Values.image.digest }}{{ .Values.image.repository }}@{{ .Values.image.digest }}{{ else }}{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{- define "svc.secret" -}}
{{- required "existingSecret is needed: the name of a Secret with the connection string and the encryption key. The head of values.yaml says how to make one." .Values.existingSecret }}
{{- end }}

{{/* Returns the content of the settings file, without secrets. */}}
{{- define "svc.config" -}}
{{- $settings := deepCopy .Values.settings }}
{{- if .Values.ingress.enabled }}
{{- $origin := printf "https://%s" (required "ingress.host is needed with the ingress." .Values.ingress.host) }}
{{- $path := get $settings "Svc:PathBase" | default "" }}
{{- $settings = merge $settings (dict "Svc:BaseUrl" (printf "%s%s/svc" $origin $path) "Svc:PublicBaseUrl" $origin) }}
{{- end }}
{{- if .Values.metrics.enabled }}
{{- $settings = merge $settings (dict "Svc:Telemetry:Metrics:Enabled" true "Svc:Telemetry:Metrics:Address" "0.0.0.0" "Svc:Telemetry:Metrics:Port" 9464) }}
{{- end }}
{{- toPrettyJson $settings }}
{{- end }}

{{/* Environment variables of every process: paths of the settings and the secrets. */}}
{{- define "svc.env" -}}
- name: SVC_CONFIG
  value: /etc/svc/svc.config.json
- name: Svc__Host__Port
  value: "8080"
{{- $secrets := deepCopy .Values.secretSettings }}
{{- range list "Svc:Database:ConnectionString" "Svc:EncryptionKey" }}
{{- if not (get $secrets .) }}{{ fail (printf "secretSettings has to say which entry of the Secret holds %s: every process needs the same." .) }}{{ end }}
{{- end }}
{{- if .Values.metrics.enabled }}{{ $_ := set $secrets "Svc:Telemetry:Metrics:Token" .Values.metrics.tokenKey }}{{ end }}
{{- range $setting, $key := $secrets }}
{{- if $key }}
- name: {{ printf "%s_FILE" ($setting | replace ":" "__") }}
  value: /run/secrets/svc/{{ $key }}
{{- end }}
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "svc.mounts" -}}
- { name: settings, mountPath: /etc/svc, readOnly: true }
- { name: secrets, mountPath: /run/secrets/svc, readOnly: true }
- { name: data, mountPath: /data }
- { name: tmp, mountPath: /tmp }
{{- if .Values.files.existingClaim }}
- { name: files, mountPath: /data/files }
{{- end }}
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "svc.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* User, scheduling and volumes of every pod. Takes root, the ConfigMap's name (config) and the service account. */}}
{{- define "svc.pod" -}}
{{- $root := .root }}
serviceAccountName: {{ .account }}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- with $root.Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with $root.Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with $root.Values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with $root.Values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with $root.Values.affinity }}
affinity: {{ toYaml . | nindent 2 }}
{{- end }}
volumes:
  - name: settings
    configMap: { name: {{ .config }} }
  - name: secrets
    secret: { secretName: {{ include "svc.secret" $root }}, defaultMode: 0440 }
  - name: data
    emptyDir: {}
  - name: tmp
    emptyDir: {}
{{- with $root.Values.files.existingClaim }}
  - name: files
    persistentVolumeClaim: { claimName: {{ . }} }
{{- end }}
{{- with $root.Values.extraVolumes }}
{{ toYaml . | indent 2 }}
{{- end }}
{{- end }}

{{/* One Deployment and its disruption budget. Takes root, component, roles, queues, replicas (null: autoscaled), resources. */}}
{{- define "svc.deployment" -}}
{{- $root := .root }}
{{- $name := printf "%s-%s" (include "svc.name" $root) .component }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $name }}
  labels: {{ include "svc.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
spec:
  {{- if not (kindIs "invalid" .replicas) }}
  replicas: {{ .replicas }}
  {{- end }}
  strategy:
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  selector:
    matchLabels: {{ include "svc.selector" $root | nindent 6 }}
      app.kubernetes.io/component: {{ .component }}
  template:
    metadata:
      labels: {{ include "svc.labels" $root | nindent 8 }}
        app.kubernetes.io/component: {{ .component }}
        {{- with $root.Values.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      annotations:
        checksum/settings: {{ include "svc.config" $root | sha256sum }}
        {{- with $root.Values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec: {{ include "svc.pod" (dict "root" $root "config" (include "svc.name" $root) "account" (include "svc.serviceAccount" $root)) | nindent 6 }}
      # After SIGTERM a process drains for at most 30 s. Before that, Kubernetes removes its address from the services.
      terminationGracePeriodSeconds: 45
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: {{ include "svc.selector" $root | nindent 14 }}
              app.kubernetes.io/component: {{ .component }}
      containers:
        - name: svc
          image: {{ include "svc.image" $root | quote }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          args: [start, --no-demo]
          env: {{ include "svc.env" $root | nindent 12 }}
            - name: Svc__Host__Roles
              value: {{ toJson .roles | quote }}
            {{- with .queues }}
            - name: Svc__Jobs__Queues
              value: {{ toJson . | quote }}
            {{- end }}
          ports:
            - { name: http, containerPort: 8080 }
            {{- if $root.Values.metrics.enabled }}
            - { name: metrics, containerPort: 9464 }
            {{- end }}
          # Succeeds after the start, which may wait for the database and its migrations.
          startupProbe:
            httpGet: { path: /livez, port: http }
            periodSeconds: 2
            failureThreshold: 300
          livenessProbe:
            httpGet: { path: /livez, port: http }
            periodSeconds: 15
            timeoutSeconds: 6
          readinessProbe:
            httpGet: { path: /readyz, port: http }
            periodSeconds: 5
            timeoutSeconds: 6
          lifecycle:
            preStop:
              exec: { command: [sleep, "5"] }
          securityContext: {{ include "svc.containerSecurity" $root | nindent 12 }}
          {{- with .resources }}
          resources: {{ toYaml . | nindent 12 }}
          {{- end }}
          volumeMounts: {{ include "svc.mounts" $root | nindent 12 }}
{{- if $root.Values.podDisruptionBudget.enabled }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ $name }}
  labels: {{ include "svc.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
spec:
  maxUnavailable: {{ $root.Values.podDisruptionBudget.maxUnavailable }}
  selector:
    matchLabels: {{ include "svc.selector" $root | nindent 6 }}
      app.kubernetes.io/component: {{ .component }}
{{- end }}
{{- end }}
