/**
 * Shared step for Jenkins: `touchstone(target: 'touchstone.yaml', profile: 'smoke')`.
 * The node needs Node.js 22.19 or newer; the step needs the plugins Pipeline, JUnit and Copy Artifact.
 */
def call(Map options = [:]) {
    String version = options.version ?: '0.1.0'
    List variables = [
        "CHECK_PACKAGE=@touchstone-suite/touchstone@${version}",
        "CHECK_TARGET=${options.target ?: 'touchstone.yaml'}",
        "CHECK_PROFILE=${options.profile ?: 'smoke'}",
        "CHECK_ARGUMENTS=${options.arguments ?: ''}",
    ]
    copyArtifacts projectName: env.JOB_NAME, selector: lastSuccessful(), filter: 'touchstone-report/**',
        target: 'last-passed', optional: true
    try {
        withEnv(variables) {
            // The exit code is the gate. --since compares with the last build that passed.
            sh label: 'touchstone check', script: '''
                rm -rf touchstone-report
                since=
                [ ! -d last-passed/touchstone-report ] || since='--since last-passed/touchstone-report'
                npx --yes "$CHECK_PACKAGE" check "$CHECK_TARGET" --profile "$CHECK_PROFILE" $CHECK_ARGUMENTS $since
            '''
        }
    } finally {
        // After a failure, too: report.html for people, and all of it for `touchstone verify`. Secrets are redacted.
        junit testResults: 'touchstone-report/junit.xml', allowEmptyResults: true, skipMarkingBuildUnstable: true
        archiveArtifacts artifacts: 'touchstone-report/**', allowEmptyArchive: true
    }
}
