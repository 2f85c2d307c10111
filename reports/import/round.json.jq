# One file of another tool => what was measured in it, in the form that rounds are added up in, or what is wrong with it:
#   jq -n [-R] -L reports -f reports/import/round.json.jq --argjson format '"wrk"' wrk.txt
# Files of lines (jmeter-jtl, phout, wrk) are read raw, with -R.
import "import/artillery" as artillery;
import "import/jmeter-jtl" as jmeter_jtl;
import "import/jmeter-statistics" as jmeter_statistics;
import "import/k6-summary" as k6_summary;
import "import/phout" as phout;
import "import/wrk" as wrk;

if $format == "jmeter-jtl" then jmeter_jtl::round
elif $format == "phout" then phout::round
elif $format == "wrk" then wrk::round
elif $format == "jmeter-statistics" then input | jmeter_statistics::round
elif $format == "artillery" then input | artillery::round
elif $format == "k6-summary" then input | k6_summary::round
else error("no program reads the format \($format)")
end
