# A HAR recording => the requests of a spec:
#   jq -n -L reports -f reports/import/requests.json.jq --argjson statics false session.har
import "import/har" as har;

input | har::requests($statics)
