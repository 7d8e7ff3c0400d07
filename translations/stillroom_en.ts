<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>Calibrations</name>
    <message numerus="yes">
        <location filename="../widgets/models/calibrationreport.cpp" line="212"/>
        <source>Layer %1, heads %2: %n of them look back farther than uniform attention would. That is a sink: the half-life follows the length of the text.</source>
        <translation>
            <numerusform>Layer %1, head %2 looks back farther than uniform attention would. That is a sink: the half-life follows the length of the text.</numerusform>
            <numerusform>Layer %1, heads %2: %n of them look back farther than uniform attention would. Those are sinks: their half-lives follow the length of the text.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/models/calibrationreport.cpp" line="214"/>
        <source>Layer %1, heads %2: %n contexts are so small that the output norm&apos;s eps is felt: it makes no unit RMS of them.</source>
        <translation>
            <numerusform>Layer %1, head %2: its context is so small that the output norm&apos;s eps is felt: it makes no unit RMS of it.</numerusform>
            <numerusform>Layer %1, heads %2: %n contexts are so small that the output norm&apos;s eps is felt: it makes no unit RMS of them.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/models/calibrationreport.cpp" line="216"/>
        <source>Layer %1, heads %2: %n mean write strengths miss their target by more than %3.</source>
        <translation>
            <numerusform>Layer %1, head %2: its mean write strength misses its target by more than %3.</numerusform>
            <numerusform>Layer %1, heads %2: %n mean write strengths miss their target by more than %3.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::MainWindow</name>
    <message numerus="yes">
        <location filename="../app/mainwindow.cpp" line="335"/>
        <source>%n layers · %1 parameters</source>
        <translation>
            <numerusform>%n layer · %1 parameters</numerusform>
            <numerusform>%n layers · %1 parameters</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../app/mainwindowwork.cpp" line="289"/>
        <source>Copied: %n lines</source>
        <translation>
            <numerusform>Copied: %n line</numerusform>
            <numerusform>Copied: %n lines</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::AlarmList</name>
    <message numerus="yes">
        <location filename="../widgets/views/alarmlist.cpp" line="52"/>
        <source>%n alarms</source>
        <translation>
            <numerusform>%n alarm</numerusform>
            <numerusform>%n alarms</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::AlignmentPlot</name>
    <message numerus="yes">
        <location filename="../widgets/plots/alignmentplot.cpp" line="213"/>
        <source>%n layers</source>
        <translation>
            <numerusform>%n layer</numerusform>
            <numerusform>%n layers</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::ComparePage</name>
    <message numerus="yes">
        <location filename="../widgets/pages/comparepage.cpp" line="207"/>
        <source>%n values not above 0 cannot be shown</source>
        <translation>
            <numerusform>%n value not above 0 cannot be shown</numerusform>
            <numerusform>%n values not above 0 cannot be shown</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n points not above 0 on the x axis cannot be shown</source>
        <translation>
            <numerusform>%n point not above 0 on the x axis cannot be shown</numerusform>
            <numerusform>%n points not above 0 on the x axis cannot be shown</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::ComparisonTable</name>
    <message numerus="yes">
        <source>
in %n held-out sequences</source>
        <translation>
            <numerusform>
in %n held-out sequence</numerusform>
            <numerusform>
in %n held-out sequences</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>
over %n held-out sequences</source>
        <translation>
            <numerusform>
over %n held-out sequence</numerusform>
            <numerusform>
over %n held-out sequences</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>
over %n tokens</source>
        <translation>
            <numerusform>
over %n token</numerusform>
            <numerusform>
over %n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>
over %n answers</source>
        <translation>
            <numerusform>
over %n answer</numerusform>
            <numerusform>
over %n answers</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::Continuations</name>
    <message numerus="yes">
        <location filename="../widgets/pages/continuations.cpp" line="45"/>
        <source>Space chooses; up to %n side by side</source>
        <translation>
            <numerusform>Space chooses; %n at a time</numerusform>
            <numerusform>Space chooses; up to %n side by side</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::CostLine</name>
    <message numerus="yes">
        <location filename="../widgets/views/costline.cpp" line="113"/>
        <source>%n students train on %1 tokens in all</source>
        <translation>
            <numerusform>%n student trains on %1 tokens in all</numerusform>
            <numerusform>%n students train on %1 tokens in all</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::ExperimentTable</name>
    <message numerus="yes">
        <location filename="../widgets/models/experimenttable.cpp" line="97"/>
        <source>%1, keep %n layers</source>
        <comment>mixer</comment>
        <translation>
            <numerusform>%1, keep %n layer</numerusform>
            <numerusform>%1, keep %n layers</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::ExportDialog</name>
    <message numerus="yes">
        <location filename="../widgets/dialogs/exportdialog.cpp" line="322"/>
        <source>%n files are there already: %1.</source>
        <translation>
            <numerusform>%n file is there already: %1.</numerusform>
            <numerusform>%n files are there already: %1.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::FormSection</name>
    <message numerus="yes">
        <location filename="../widgets/dialogs/formsection.cpp" line="84"/>
        <source>%n changed</source>
        <translation>
            <numerusform>%n changed</numerusform>
            <numerusform>%n changed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::HeadDistributionPlot</name>
    <message numerus="yes">
        <location filename="../widgets/plots/headdistributionplot.cpp" line="240"/>
        <source>%n heads; the picked one has %1</source>
        <translation>
            <numerusform>%n head; the picked one has %1</numerusform>
            <numerusform>%n heads; the picked one has %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/plots/headdistributionplot.cpp" line="240"/>
        <source>%n heads</source>
        <translation>
            <numerusform>%n head</numerusform>
            <numerusform>%n heads</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::HeadMapPlot</name>
    <message numerus="yes">
        <location filename="../widgets/plots/headmapplot.cpp" line="357"/>
        <source>%n layers; the arrow keys walk from head to head</source>
        <translation>
            <numerusform>%n layer; the arrow keys walk from head to head</numerusform>
            <numerusform>%n layers; the arrow keys walk from head to head</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::HybridStrip</name>
    <message numerus="yes">
        <location filename="../widgets/views/hybridstrip.cpp" line="80"/>
        <source>%n of the layers stay softmax</source>
        <translation>
            <numerusform>%n of the layers stays softmax</numerusform>
            <numerusform>%n of the layers stay softmax</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/views/hybridstrip.cpp" line="80"/>
        <source>%n layers, all softmax</source>
        <translation>
            <numerusform>%n layer, all softmax</numerusform>
            <numerusform>%n layers, all softmax</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::InterruptedLine</name>
    <message numerus="yes">
        <location filename="../widgets/views/interruptedline.cpp" line="61"/>
        <source>%1; and %n more</source>
        <translation>
            <numerusform>%1; and %n more</numerusform>
            <numerusform>%1; and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/views/interruptedline.cpp" line="62"/>
        <source>%n jobs were interrupted. %1.</source>
        <translation>
            <numerusform>%n job was interrupted. %1.</numerusform>
            <numerusform>%n jobs were interrupted. %1.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::JobLog</name>
    <message numerus="yes">
        <location filename="../widgets/models/joblog.cpp" line="35"/>
        <source>%n threads</source>
        <translation>
            <numerusform>%n thread</numerusform>
            <numerusform>%n threads</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::JobRunner</name>
    <message numerus="yes">
        <location filename="../widgets/models/jobrunner.cpp" line="98"/>
        <source>%1 is in the queue: it begins after %n jobs.</source>
        <translation>
            <numerusform>%1 is in the queue: it begins after %n job.</numerusform>
            <numerusform>%1 is in the queue: it begins after %n jobs.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::JobsStrip</name>
    <message numerus="yes">
        <location filename="../widgets/views/jobsstrip.cpp" line="136"/>
        <source>%n wait</source>
        <comment>jobs</comment>
        <translation>
            <numerusform>%n waits</numerusform>
            <numerusform>%n wait</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/views/jobsstrip.cpp" line="148"/>
        <source>The queue is held: %n jobs wait.</source>
        <translation>
            <numerusform>The queue is held: %n job waits.</numerusform>
            <numerusform>The queue is held: %n jobs wait.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::LayerBarPlot</name>
    <message numerus="yes">
        <location filename="../widgets/plots/layerbarplot.cpp" line="404"/>
        <source>%n layers; the highest is layer %1 with %2</source>
        <translation>
            <numerusform>%n layer; the highest is layer %1 with %2</numerusform>
            <numerusform>%n layers; the highest is layer %1 with %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::OverlapPage</name>
    <message numerus="yes">
        <location filename="../widgets/pages/overlappage.cpp" line="308"/>
        <source>Two random sets of %1 of %n layers: J = %2 on average, 95 % from %3 to %4. Hatched: not to be told from chance (p ≥ %5).</source>
        <translation>
            <numerusform>Two random sets of %1 of %n layer: J = %2 on average, 95 % from %3 to %4. Hatched: not to be told from chance (p ≥ %5).</numerusform>
            <numerusform>Two random sets of %1 of %n layers: J = %2 on average, 95 % from %3 to %4. Hatched: not to be told from chance (p ≥ %5).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/pages/overlappage.cpp" line="320"/>
        <source>%n choices</source>
        <translation>
            <numerusform>%n choice</numerusform>
            <numerusform>%n choices</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/pages/overlappage.cpp" line="320"/>
        <source>%1 of %n choices</source>
        <translation>
            <numerusform>%1 of %n choice</numerusform>
            <numerusform>%1 of %n choices</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::OverlapPlot</name>
    <message numerus="yes">
        <location filename="../widgets/plots/overlapplot.cpp" line="290"/>
        <source>%n choices; the arrow keys walk from cell to cell</source>
        <translation>
            <numerusform>%n choice; the arrow keys walk from cell to cell</numerusform>
            <numerusform>%n choices; the arrow keys walk from cell to cell</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::OverlapTable</name>
    <message numerus="yes">
        <location filename="../widgets/models/overlaptable.cpp" line="78"/>
        <source>%1 has no set of %n layers.</source>
        <translation>
            <numerusform>%1 has no set of %n layer.</numerusform>
            <numerusform>%1 has no set of %n layers.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/models/overlaptable.cpp" line="86"/>
        <source>%1 keeps %n layers: %2.</source>
        <translation>
            <numerusform>%1 keeps %n layer: %2.</numerusform>
            <numerusform>%1 keeps %n layers: %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/models/overlaptable.cpp" line="89"/>
        <source>%1 and %2 share %3 of %n layers, J = %4; two random sets have %5 on average, and as much as this with p = %6.</source>
        <translation>
            <numerusform>%1 and %2 share %3 of %n layer, J = %4; two random sets have %5 on average, and as much as this with p = %6.</numerusform>
            <numerusform>%1 and %2 share %3 of %n layers, J = %4; two random sets have %5 on average, and as much as this with p = %6.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::RankPlot</name>
    <message numerus="yes">
        <location filename="../widgets/plots/rankplot.cpp" line="367"/>
        <source>the best %1 never changed over %n evaluations</source>
        <translation>
            <numerusform>the best %1 never changed over %n evaluation</numerusform>
            <numerusform>the best %1 never changed over %n evaluations</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/plots/rankplot.cpp" line="375"/>
        <source>; %n settled early</source>
        <translation>
            <numerusform>; %n settled early</numerusform>
            <numerusform>; %n settled early</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/plots/rankplot.cpp" line="376"/>
        <source>%n layers; %1</source>
        <translation>
            <numerusform>%n layer; %1</numerusform>
            <numerusform>%n layers; %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::RunsPage</name>
    <message numerus="yes">
        <location filename="../widgets/pages/runspage.cpp" line="228"/>
        <source>%n experiments</source>
        <translation>
            <numerusform>%n experiment</numerusform>
            <numerusform>%n experiments</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/pages/runspage.cpp" line="358"/>
        <source>Tag for %n runs:</source>
        <translation>
            <numerusform>Tag for %n run:</numerusform>
            <numerusform>Tag for %n runs:</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/pages/runspage.cpp" line="432"/>
        <source>%n experiments of %1 restored from the trash.</source>
        <translation>
            <numerusform>%n experiment of %1 restored from the trash.</numerusform>
            <numerusform>%n experiments of %1 restored from the trash.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/pages/runspage.cpp" line="432"/>
        <source>%n experiments of %1 moved to the trash.</source>
        <translation>
            <numerusform>%n experiment of %1 moved to the trash.</numerusform>
            <numerusform>%n experiments of %1 moved to the trash.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/pages/runspage.cpp" line="436"/>
        <source>%n experiments restored from the trash.</source>
        <translation>
            <numerusform>%n experiment restored from the trash.</numerusform>
            <numerusform>%n experiments restored from the trash.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/pages/runspage.cpp" line="436"/>
        <source>%n experiments moved to the trash.</source>
        <translation>
            <numerusform>%n experiment moved to the trash.</numerusform>
            <numerusform>%n experiments moved to the trash.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::TeacherPage</name>
    <message numerus="yes">
        <location filename="../widgets/pages/teacherpage.cpp" line="172"/>
        <source>sees the last %n tokens</source>
        <translation>
            <numerusform>sees the last token</numerusform>
            <numerusform>sees the last %n tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::TokenMapPlot</name>
    <message numerus="yes">
        <location filename="../widgets/plots/tokenmapplot.cpp" line="132"/>
        <source>%n tokens; the largest weight is %1</source>
        <translation>
            <numerusform>%n token; the largest weight is %1</numerusform>
            <numerusform>%n tokens; the largest weight is %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::TokenizerTryout</name>
    <message numerus="yes">
        <location filename="../widgets/views/tokenizertryout.cpp" line="157"/>
        <source>%n tokens</source>
        <translation>
            <numerusform>%n token</numerusform>
            <numerusform>%n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/views/tokenizertryout.cpp" line="167"/>
        <source>… and %n more</source>
        <translation>
            <numerusform>… and %n more</numerusform>
            <numerusform>… and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::Inspector</name>
    <message numerus="yes">
        <source>%1 of %n choices</source>
        <translation>
            <numerusform>%1 of %n choice</numerusform>
            <numerusform>%1 of %n choices</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::LayersPage</name>
    <message numerus="yes">
        <source>run %1, the newest of %n</source>
        <translation>
            <numerusform>run %1, the newest of %n</numerusform>
            <numerusform>run %1, the newest of %n</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::Closing</name>
    <message numerus="yes">
        <location filename="../app/closing.cpp" line="43"/>
        <source>%n jobs wait behind it: they stay in the queue for the next start, or are done before the window closes.</source>
        <translation>
            <numerusform>%n job waits behind it: it stays in the queue for the next start, or is done before the window closes.</numerusform>
            <numerusform>%n jobs wait behind it: they stay in the queue for the next start, or are done before the window closes.</numerusform>
        </translation>
    </message>
</context>
</TS>
